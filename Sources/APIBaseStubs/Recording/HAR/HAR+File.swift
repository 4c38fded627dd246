import Foundation

extension HAR {
    /// Reads a file.
    ///
    /// - Throws: ``RecordingError``, which says what is wrong with it and where.
    init(contentsOf file: URL) throws(RecordingError) {
        guard FileManager.default.fileExists(atPath: file.path) else { throw .missingFile(file) }
        let data: Data
        do {
            // Devices and pipes would be waited for.
            guard try RegularFile(file).exists else { throw RecordingError.missingFile(file) }
            data = try Data(contentsOf: file)
        } catch {
            throw error as? RecordingError ?? .unreadableFile(file, reason: error.plainReason)
        }
        try self.init(data, file: file)
    }

    /// Reads the contents of a file; its name is for the error.
    init(_ data: Data, file: URL) throws(RecordingError) {
        // Some tools on Windows put a byte order mark in front of everything (RFC 8259, section 8.1, lets us pass it over).
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = data.starts(with: mark) ? data.dropFirst(mark.count) : data
        do {
            self = try JSONDecoder().decode(HAR.self, from: Data(text))
        } catch DecodingError.dataCorrupted(let context) {
            // A number that fits in nothing looks like broken JSON to Foundation.
            if let number = Data(text).entryWithoutStatus {
                throw .wrongShape(file, key: "log.entries[\(number)].response.status", problem: .notAStatus)
            }
            throw .notJSON(file, reason: Data(text).jsonProblem ?? context.debugDescription)
        } catch let error as DecodingError {
            throw RecordingError(error, in: file)
        } catch {
            throw .unreadableFile(file, reason: error.localizedDescription)
        }
        for (index, entry) in log.entries.enumerated() {
            if entry.response.content.data == nil {
                throw .wrongShape(file, key: "log.entries[\(index)].response.content.text", problem: .notBase64)
            }
            if let body = entry.request.postData, body.data == nil {
                throw .wrongShape(file, key: "log.entries[\(index)].request.postData.text", problem: .notBase64)
            }
            if URL(string: entry.request.url) == nil {
                throw .wrongShape(file, key: "log.entries[\(index)].request.url", problem: .notAURL)
            }
        }
    }

    /// The text of a file, for people to read: the same log gives the same bytes.
    func text() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// Writes the file as a whole or not at all; folders that are missing are made, and links are followed.
    ///
    /// - Throws: ``RecordingError/unwritableFile(_:reason:)``, also if there is something else than a file: a folder, a device.
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
    /// The system's own description of the error, which Foundation on Linux often hides behind a number of its own.
    fileprivate var plainReason: String {
        let underlying = (self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        guard self is CocoaError, let underlying else { return localizedDescription }
        return underlying.localizedDescription
    }
}

extension Data {
    /// The first entry whose status is a number that cannot be one; nil if there is none, or if this is not JSON.
    fileprivate var entryWithoutStatus: Int? {
        guard case .array(let entries)? = JSONTree(self)?["log"]?["entries"] else { return nil }
        return entries.firstIndex { entry in
            guard case .number(let status)? = entry["response"]?["status"] else { return false }
            return Int(status.description) == nil
        }
    }

    /// Why these bytes are not JSON, and where: the one that decodes does not tell.
    fileprivate var jsonProblem: String? {
        do {
            _ = try JSONSerialization.jsonObject(with: self)
            return nil
        } catch {
            guard let problem = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String else { return nil }
            // Foundation on Linux counts bytes; elsewhere it counts lines itself.
            guard let match = problem.firstMatch(of: /around character (\d+)/), let offset = Int(match.1) else {
                return problem
            }
            let lines = prefix(offset).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let place = "in line \(Swift.max(lines.count, 1)), column \((lines.last?.count ?? 0) + 1)"
            return problem.replacingCharacters(in: match.range, with: place)
        }
    }
}
