import APIBaseKit

extension HTTPJob {
    /// Makes the call, and writes the body of its reply as it comes, into the file or to the output.
    ///
    /// - Returns: The exit code.
    /// - Throws: What the call failed with, or ``FileFailure``. Of a body that breaks off, the output has what came.
    func stream(_ call: HTTPCall, _ report: CallReport, on output: Output) async throws -> Int32 {
        do {
            for try await reply in call.sendStream().values {
                if extras.contains(.head) { report.head.map { output.line($0.text(in: output.out.style)) } }
                try await write(reply.body, to: output)
            }
            try Task.checkCancellation()
            return ExitCode.success
        } catch RequestError.httpFailure(let failure) {
            if extras.contains(.head) { report.head.map { output.line($0.text(in: output.out.style)) } }
            output.show(failure.body, isPretty: isPretty)
            output.error("apibase: \(failure.description)")
            return ExitCode.status(failure.statusCode)
        }
    }

    private func write(_ body: AnyPublisher<Data, any Error>, to output: Output) async throws {
        guard let file else {
            for try await data in body.values { output.out.write(data) }
            return try Task.checkCancellation()
        }
        let target = try BodyFile(file)
        do {
            for try await data in body.values { try target.write(data) }
            try Task.checkCancellation()
            try target.finish()
        } catch {
            target.discard()
            throw error
        }
    }
}
