import Basics
import HTTPTransport

/// The file of one download: which bytes to request, the effect of a response, and whether it is complete.
final class DownloadedFile: Sendable {
    /// Gives the target for a response.
    typealias Naming = @Sendable (HTTPURLResponse) -> URL

    private struct State {
        /// The last response whose body belongs to the file.
        var response: HTTPURLResponse?
        /// Whether the response to the last request is the one whose body belongs to the file.
        var isReceiving = false
        /// A digest of the URL that was requested last; `nil` if it has no partial responses.
        var url: String?
        /// True if the method that was used last may be repeated.
        var isRepeatable = false
        /// The offset in the file at which the requested range begins; `nil` if the whole file was requested.
        var start: Int64?
        /// The offset in the file at which the body of the last response begins.
        var offset: Int64 = 0
        /// The length of the complete file in bytes, and its digest, if the server has stated them.
        var total: Int64?
        var digest: ReprDigest?
        /// The number of bytes that are there now, and the largest number so far.
        var count: Int64 = 0
        var longest: Int64 = 0
        /// The number of responses in a row without new bytes.
        var attemptsWithoutProgress = 0
        /// True if the last response has broken off.
        var hasBrokenOff = false
        var isComplete = false
    }

    private let target: URL
    private let resumes: Bool
    private let naming: Naming?
    private let partial: PartialFile
    private let state = Locked(State())

    /// - Throws: ``DownloadFailure``.
    init(_ target: URL, resumes: Bool, naming: Naming?) throws {
        (self.target, self.resumes, self.naming) = (target, resumes, naming)
        partial = try PartialFile(beside: target)
    }

    var isComplete: Bool { state.withLock { $0.isComplete } }

    /// The offset in the file at which the body of the last response begins.
    var offset: Int64 { state.withLock { $0.offset } }

    /// Whether the response to the last request has a body that belongs to the file.
    var isReceiving: Bool { state.withLock { $0.isReceiving } }

    /// Whether there has been such a response.
    var hasBegun: Bool { state.withLock { $0.response != nil } }

    /// The number of attempts in a row without progress, at least 1; `nil` if the last response has not broken off.
    var failures: Int? { state.withLock { $0.hasBrokenOff ? max(1, $0.attemptsWithoutProgress) : nil } }

    /// Releases the files. If the download is not to be resumed later, they are removed.
    func close() {
        if resumes { partial.close() } else { partial.remove() }
    }

    private func failure(_ reason: DownloadFailure.Reason) -> DownloadFailure {
        DownloadFailure(reason: reason, file: target)
    }
}

// MARK: The request

extension DownloadedFile {
    /// The request for the missing bytes. The response must not be compressed, since ranges count the bytes as sent.
    func rangeRequest(from request: URLRequest) throws -> URLRequest {
        var request = request
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        // Only GET is continued: the response to another method depends on more than the URL. QUERY has ranges too, but
        // they are of little use (RFC 10008, section 2.8).
        let url = request.method == .get && resumes ? SHA256.hex(of: request.url?.absoluteString ?? "") : nil
        let start = try start(at: url)
        let isRepeatable = request.method.isIdempotent
        state.withLock { state in
            (state.url, state.start, state.isRepeatable) = (url, start?.offset, isRepeatable)
            state.isReceiving = false
        }
        guard let start else { return request }
        request.setValue("bytes=\(start.offset)-", forHTTPHeaderField: "Range")
        request.setValue(start.validator, forHTTPHeaderField: "If-Range")
        return request
    }

    private func start(at url: String?) throws -> (offset: Int64, validator: String)? {
        guard let url, let data = partial.resumeData, data.url == url,
            case let count = try partial.count, count > 0, count <= data.total ?? .max
        else { return nil }
        // Of a complete file the last byte is requested again, to find out whether it is still current.
        return (count == data.total ? count - 1 : count, data.validator)
    }

    /// True if an error response is accepted: a 416 means that the requested range does not exist.
    func accepts(_ response: HTTPURLResponse) -> Bool {
        response.statusCode == 416 && state.withLock { $0.start } != nil
    }
}

// MARK: The response

extension DownloadedFile {
    /// Prepares the file for the body of a response. Returns false if the whole file must be requested.
    ///
    /// - Throws: ``DownloadFailure``.
    func prepare(for response: HTTPURLResponse, to secrets: RequestSecrets) throws -> Bool {
        let (url, start) = state.withLock { state in
            state.hasBrokenOff = false
            state.response = response
            state.attemptsWithoutProgress += 1
            return (state.url, state.start)
        }
        switch response.statusCode {
        case 206:
            guard let start else { throw failure(.unexpectedPart) }
            guard let data = partial.resumeData, let part = response.contentRange, part.first == start,
                data.isConfirmed(by: response, part)
            else { return try discard() }
            try partial.resume(after: start)
            let total = data.total ?? part.total ?? part.last + 1
            set(offset: start, total: total, ReprDigest(response) ?? data.digest)
        case 416: return try discard()
        default:
            let data = url.flatMap { ResumeData(url: $0, response) }
            // Beside the file, nothing secret is kept.
            let hasSecret = data.map { secrets.removed(from: $0.validator) != $0.validator } ?? false
            try partial.restart(hasSecret ? nil : data)
            set(offset: 0, total: response.fileLength, ReprDigest(response))
        }
        return true
    }

    private func discard() throws -> Bool {
        try partial.restart(nil)
        return false
    }

    private func set(offset: Int64, total: Int64?, _ digest: ReprDigest?) {
        state.withLock { state in
            (state.offset, state.total, state.digest) = (offset, total, digest)
            (state.count, state.isReceiving) = (offset, true)
        }
    }

    func write(_ data: Data) throws {
        try partial.write(data)
        let (count, total) = state.withLock { state in
            state.count += Int64(data.count)
            if state.count > state.longest { (state.longest, state.attemptsWithoutProgress) = (state.count, 0) }
            return (state.count, state.total)
        }
        // A body without an end would fill the disk.
        guard let total, count > total else { return }
        try partial.restart(nil)
        throw failure(.length(expected: total, received: count))
    }

    /// Records that the body has broken off, and returns whether the next call may resume it.
    func canResume(atMost attempts: Int) -> Bool {
        state.withLock { state in
            state.hasBrokenOff = state.isRepeatable && attempts > 1 && state.attemptsWithoutProgress < attempts
            return state.hasBrokenOff
        }
    }

    /// Checks the file, and moves it to the target.
    ///
    /// - Throws: ``DownloadFailure``.
    func finish() throws -> URL {
        let (total, digest, response) = state.withLock { ($0.total, $0.digest, $0.response) }
        let count = try partial.count
        if let total, count != total { throw failure(.length(expected: total, received: count)) }
        if let digest, try !digest.matches(partial.digest()) {
            try partial.restart(nil)
            throw failure(.digest)
        }
        let file = response.flatMap { naming?($0) } ?? target
        try partial.finish(as: file == target ? nil : file)
        state.withLock { $0.isComplete = true }
        return file
    }
}
