import Foundation

extension HAR {
    package init(contentsOf file: URL) throws(RecordingError) {
        guard FileManager.default.fileExists(atPath: file.path) else { throw .missingFile(file) }
        let data: Data
        do {
            // Reading a device or a pipe could block.
            guard try RegularFile(file).exists else { throw RecordingError.missingFile(file) }
            data = try Data(contentsOf: file)
        } catch {
            throw error as? RecordingError ?? .unreadableFile(file, reason: error.plainReason)
        }
        try self.init(data, file: file)
    }

    /// Parses the contents of a file. Errors name the file.
    init(_ data: Data, file: URL) throws(RecordingError) {
        // Some tools on Windows write a byte order mark, which may be ignored (RFC 8259, section 8.1).
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = data.starts(with: mark) ? data.dropFirst(mark.count) : data
        do {
            self = try JSONDecoder().decode(HAR.self, from: Data(text))
        } catch DecodingError.dataCorrupted(let context) {
            throw .notJSON(file, reason: Data(text).jsonProblem ?? context.debugDescription)
        } catch let error as DecodingError {
            throw RecordingError(error, in: file)
        } catch {
            throw .unreadableFile(file, reason: error.localizedDescription)
        }
        guard log.entries.isEmpty || log.entries.contains(where: \.hasRequest) else {
            throw .wrongShape(file, key: "log.entries[0].request", problem: .notARequest)
        }
    }

    /// The contents of a file, formatted for people. The same log gives the same bytes.
    func text() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// Writes the whole file or nothing. Missing folders are created, and links are followed.
    func write(to file: URL) throws(RecordingError) {
        do {
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try RegularFile(file).replace(with: text())
        } catch {
            throw .unwritableFile(file, reason: error.plainReason)
        }
    }
}

extension Error {
    /// The system's description of the error. Foundation on Linux often replaces it by an error number.
    fileprivate var plainReason: String {
        let underlying = (self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        guard self is CocoaError, let underlying else { return localizedDescription }
        return underlying.localizedDescription
    }
}

extension Data {
    /// Why and where these bytes are not JSON, which `JSONDecoder` does not tell.
    fileprivate var jsonProblem: String? {
        do {
            _ = try JSONSerialization.jsonObject(with: self)
            return nil
        } catch {
            guard let problem = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String else { return nil }
            // Foundation on Linux gives a byte offset, and elsewhere the line.
            guard let match = problem.firstMatch(of: /around character (\d+)/), let offset = Int(match.1) else {
                return problem
            }
            let lines = prefix(offset).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let place = "in line \(Swift.max(lines.count, 1)), column \((lines.last?.count ?? 0) + 1)"
            return problem.replacingCharacters(in: match.range, with: place)
        }
    }
}
