import APIBaseKit

/// Downloads into files, several at a time, each with its bar.
struct Downloads {
    /// One of them.
    struct Item: Sendable {
        let request: HTTPJob
        let file: URL
    }

    let items: [Item]
    /// Whether to go on with what is there of a file.
    var resumes = true

    /// The number of downloads that run at a time.
    private static let atOnce = 4

    /// Runs them all. One that fails stops no other; what it failed with is written.
    ///
    /// - Returns: The exit code of each that failed.
    /// - Throws: ``UsageError`` and what the kit refuses to send, before anything is sent.
    func run(_ context: Context) async throws -> [Int32] {
        for item in items { _ = try item.request.call(in: context) }
        let display = ProgressDisplay(on: context.output.err)
        return await withTaskGroup(of: Int32.self) { group in
            var rest = items[...]
            func start() {
                guard let item = rest.popFirst() else { return }
                group.addTask { await fetch(item, context, on: display) }
            }
            for _ in 0..<Self.atOnce { start() }
            var failures: [Int32] = []
            for await code in group {
                if code != ExitCode.success { failures.append(code) }
                start()
            }
            return failures
        }
    }

    private func fetch(_ item: Item, _ context: Context, on display: ProgressDisplay) async -> Int32 {
        let name = item.file.lastPathComponent
        let bar = TransferBar(name, on: display)
        // What cannot be gone on with is not to stay after Control-C either.
        let parts = [".partial", ".partial-info"].map { item.file.path + $0 }
        if !resumes { parts.forEach(Interruption.remove) }
        defer { parts.forEach(Interruption.keep) }
        do {
            let call = try item.request.call(in: context, isStream: true)
            let report = CallReport(item.request.extras, file: nil, on: display.above)
            call.onEvent = { event in
                bar.take(event)
                report.take(event)
            }
            let progress = call.$downloadProgress.sink { bar.moved($0.received, of: $0.expected) }
            defer { progress.cancel() }
            for try await _ in call.download(to: item.file, resuming: resumes).values {}
            try Task.checkCancellation()
            bar.end(isWhole: true)
            return ExitCode.success
        } catch {
            bar.end(isWhole: false)
            display.above.line("apibase: \(name): \(describe(error))".withoutControls)
            return ExitCode.error(error)
        }
    }
}
