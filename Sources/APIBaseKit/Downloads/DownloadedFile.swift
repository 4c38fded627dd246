import Basics
import HTTPTransport

/// The file of one download: what to ask for, what a reply means for it, and whether it is whole.
final class DownloadedFile: Sendable {
    private struct State {
        /// A digest of the URL that was asked last; `nil` if there are no parts of what it brings.
        var url: String?
        /// Whether what was asked last may be asked again.
        var isRepeatable = false
        /// The offset in the file at which the requested part begins; `nil` if the whole file was requested.
        var start: Int64?
        /// The offset in the file at which the body of the last reply begins.
        var offset: Int64 = 0
        /// The length of the file in bytes, and its digest, if the server has stated them.
        var total: Int64?
        var digest: ReprDigest?
        /// The number of bytes that are there now, and the largest number so far.
        var count: Int64 = 0
        var longest: Int64 = 0
        /// The number of replies in a row that have not brought the file further.
        var fruitless = 0
        /// Whether the last reply has broken off.
        var hasBrokenOff = false
        var isWhole = false
    }

    private let target: URL
    private let resumes: Bool
    private let partial: PartialFile
    private let state = Locked(State())

    /// - Throws: ``DownloadFailure``.
    init(_ target: URL, resumes: Bool) throws {
        self.target = target
        self.resumes = resumes
        partial = try PartialFile(beside: target)
    }

    var isWhole: Bool { state.withLock { $0.isWhole } }

    /// The offset in the file at which the body of the last reply begins.
    var offset: Int64 { state.withLock { $0.offset } }

    /// The number of fruitless replies in a row, at least 1; `nil` if the last one has not broken off.
    var failures: Int? { state.withLock { $0.hasBrokenOff ? max(1, $0.fruitless) : nil } }

    /// Lets go of the files. Where it is not to go on later, nothing of it stays.
    func close() {
        if resumes { partial.close() } else { partial.remove() }
    }

    private func failure(_ reason: DownloadFailure.Reason) -> DownloadFailure {
        DownloadFailure(reason: reason, file: target)
    }
}

// MARK: The request

extension DownloadedFile {
    /// The request for what is missing.
    ///
    /// Parts are parts of what is sent, so it must not be compressed.
    func asked(by request: URLRequest) throws -> URLRequest {
        var request = request
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        // Only GET has parts (RFC 9110, section 14.2), and what another method brings depends on more than the URL.
        let url = request.method == .get && resumes ? SHA256.hex(of: request.url?.absoluteString ?? "") : nil
        let start = try start(at: url)
        let isRepeatable = request.method.isIdempotent
        state.withLock { ($0.url, $0.start, $0.isRepeatable) = (url, start?.place, isRepeatable) }
        guard let start else { return request }
        request.setValue("bytes=\(start.place)-", forHTTPHeaderField: "Range")
        request.setValue(start.validator, forHTTPHeaderField: "If-Range")
        return request
    }

    private func start(at url: String?) throws -> (place: Int64, validator: String)? {
        guard let url, let known = partial.knowledge, known.url == url, known.isSendable,
            case let count = try partial.count, count > 0,
            count <= known.total ?? .max
        else { return nil }
        // Of a file that is all there its last byte is asked for again, to learn whether it is still the one.
        return (count == known.total ? count - 1 : count, known.validator)
    }

    /// Whether a reply that calls do not accept by themselves says something here: that there is no such part.
    func accepts(_ response: HTTPURLResponse) -> Bool {
        response.statusCode == 416 && state.withLock { $0.start } != nil
    }
}

// MARK: The reply

extension DownloadedFile {
    /// Makes the file ready for the body of a reply; false if all of it has to be asked for anew.
    ///
    /// - Throws: ``DownloadFailure``.
    func begins(with response: HTTPURLResponse) throws -> Bool {
        let (url, start) = state.withLock { state in
            state.hasBrokenOff = false
            state.fruitless += 1
            return (state.url, state.start)
        }
        switch response.statusCode {
        case 206:
            guard let start else { throw failure(.unexpectedPart) }
            guard let known = partial.knowledge, let part = ContentRange(response), part.first == start,
                known.isConfirmed(by: response, part)
            else { return try forget() }
            try partial.goOn(after: start)
            let total = known.total ?? part.total ?? part.last + 1
            set(offset: start, total: total, ReprDigest(response) ?? known.digest)
        case 416: return try forget()
        default:
            let knowledge = url.flatMap { PartialFile.Knowledge(url: $0, response) }
            try partial.begin(knowledge?.isSendable == true ? knowledge : nil)
            set(offset: 0, total: response.fileLength, ReprDigest(response))
        }
        return true
    }

    private func forget() throws -> Bool {
        try partial.begin(nil)
        return false
    }

    private func set(offset: Int64, total: Int64?, _ digest: ReprDigest?) {
        state.withLock { state in
            (state.offset, state.total, state.digest) = (offset, total, digest)
            state.count = offset
        }
    }

    func write(_ data: Data) throws {
        try partial.write(data)
        let (count, total) = state.withLock { state in
            state.count += Int64(data.count)
            if state.count > state.longest { (state.longest, state.fruitless) = (state.count, 0) }
            return (state.count, state.total)
        }
        // What has no end would fill the disk.
        guard let total, count > total else { return }
        try partial.begin(nil)
        throw failure(.length(expected: total, received: count))
    }

    /// Whether the next call may go on where this one has broken off.
    func mayGoOn(atMost attempts: Int) -> Bool {
        state.withLock { state in
            state.hasBrokenOff = state.isRepeatable && attempts > 1 && state.fruitless < attempts
            return state.hasBrokenOff
        }
    }

    /// Checks the file, and puts it into its place.
    ///
    /// - Throws: ``DownloadFailure``.
    func finish() throws -> URL {
        let (total, digest) = state.withLock { ($0.total, $0.digest) }
        let count = try partial.count
        if let total, count != total { throw failure(.length(expected: total, received: count)) }
        if let digest, try !digest.matches(partial.digest()) {
            try partial.begin(nil)
            throw failure(.digest)
        }
        try partial.finish()
        state.withLock { $0.isWhole = true }
        return target
    }
}
