public import Foundation
import Basics

/// The body of a request: nothing, bytes, a file, a stream, or several of them in a row.
///
/// A body without a one-shot stream can be sent again, after a redirect or by a retry.
public struct HTTPBody: Sendable {
    enum Content: Sendable {
        case none
        case data(Data)
        case file(URL)
        case stream(count: Int64?, make: @Sendable () throws -> InputStream)
        case once(OneShotStream)
        case joined([HTTPBody])
        indirect case compressed(HTTPBody)
        case encoded(@Sendable (JSONEncoder) throws -> Data)
        case failed(any Error)
    }

    let content: Content

    /// The media type of the body, as forms have one; nil if it names none.
    public var contentType: String?

    /// The coding of a compressed body.
    let coding: ContentCoding?

    init(content: Content, contentType: String? = nil, coding: ContentCoding? = nil) {
        self.content = content
        self.contentType = contentType
        self.coding = coding
    }

    /// No body.
    public static var none: HTTPBody { HTTPBody(content: .none) }

    /// These bytes, of this media type.
    public static func data(_ data: Data, type: String? = nil) -> HTTPBody {
        HTTPBody(content: .data(data), contentType: type)
    }

    /// The bytes of a file, of this media type, or else of the one that its name stands for: `image/png` for `a.png`.
    ///
    /// It must be a regular, readable file when the request is sent; otherwise the exchange fails with
    /// ``TransportError/Reason/invalidRequest(_:)``. It must not change while it is being sent.
    public static func file(_ url: URL, type: String? = nil) -> HTTPBody {
        HTTPBody(content: .file(url), contentType: type ?? Self.type(named: url))
    }

    /// The bytes of a stream that can be created again.
    ///
    /// - Parameters:
    ///   - count: The number of bytes, if known. A stream that has more or fewer fails the exchange.
    ///   - type: The media type.
    ///   - make: Creates an unopened stream; called once for each attempt, never on an engine's thread. If it throws,
    ///     the exchange fails.
    /// - Returns: A body that can be sent again.
    public static func stream(
        count: Int64?,
        type: String? = nil,
        make: @escaping @Sendable () throws -> InputStream
    ) -> HTTPBody {
        HTTPBody(content: .stream(count: count, make: make), contentType: type)
    }

    /// The bytes of this stream, which can be sent once. A second attempt fails with
    /// ``TransportError/Reason/bodyNotReplayable``, and a redirect that would need it again becomes the response.
    ///
    /// - Parameters:
    ///   - stream: An unopened stream, without other users.
    ///   - count: Its number of bytes. A stream that has more or fewer fails the exchange.
    /// - Returns: A body that can be sent once.
    public static func once(_ stream: InputStream, count: Int64) -> HTTPBody {
        HTTPBody(content: .once(OneShotStream(stream, count: count)))
    }

    /// Several bodies in a row, each opened after the one before has ended.
    package static func joined(_ bodies: [HTTPBody], type: String) -> HTTPBody {
        HTTPBody(content: .joined(bodies), contentType: type)
    }

    /// A value that is encoded each time it is sent, by the encoder of the request's API or else by a new one.
    package static func encoded(
        type: String,
        _ encode: @escaping @Sendable (JSONEncoder) throws -> Data
    ) -> HTTPBody {
        HTTPBody(content: .encoded(encode), contentType: type)
    }

    /// A body that could not be created. A request with it fails with this error before anything is sent.
    package static func failed(_ error: any Error) -> HTTPBody {
        HTTPBody(content: .failed(error))
    }

    /// The number of bytes: nil for a stream of unknown length, for a file that cannot be examined, and for what is
    /// compressed while it is sent.
    public var count: Int64? {
        switch content {
        case .none: 0
        case .data(let data): Int64(data.count)
        case .file(let url):
            // The attributes of a link are not those of its file.
            (try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)[.size] as? NSNumber)?
                .int64Value
        case .stream(let count, _): count
        case .once(let stream): stream.count
        case .joined(let bodies):
            bodies.reduce(0) { sum, body in
                guard let sum, let count = body.count else { return nil }
                let (total, isTooMuch) = sum.addingReportingOverflow(count)
                return isTooMuch ? nil : total
            }
        case .compressed(let body): body.isEmpty ? 0 : nil
        case .encoded, .failed: nil
        }
    }

    /// Whether the body can be sent a second time.
    public var isReplayable: Bool { oneShot == nil }

    /// The identity of the stream in a body that can be sent once; `nil` for one that can be sent again.
    package var oneShot: ObjectIdentifier? {
        switch content {
        case .once(let stream): ObjectIdentifier(stream)
        case .joined(let bodies): bodies.lazy.compactMap(\.oneShot).first
        case .compressed(let body): body.oneShot
        case .none, .data, .file, .stream, .encoded, .failed: nil
        }
    }

    /// Whether there is certainly nothing to send: no body, or no bytes in it.
    public var isEmpty: Bool { count == 0 }
}

extension HTTPBody: CustomStringConvertible, CustomReflectable {
    /// Empty, so that `dump` does not show the content.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Length and media type, never the content.
    public var description: String {
        "HTTPBody(\([lengthText, contentType].compactMap(\.self).joined(separator: ", ")))"
    }

    /// The length in words.
    package var lengthText: String { count.map { $0 == 1 ? "1 byte" : "\($0) bytes" } ?? "of unknown length" }
}

/// A stream that can be taken once.
final class OneShotStream: Sendable {
    private let stream: Locked<InputStream?>
    let count: Int64?

    init(_ stream: InputStream, count: Int64?) {
        self.stream = Locked(uncheckedState: stream)
        self.count = count
    }

    func take() -> InputStream? {
        stream.withLock { stream in
            defer { stream = nil }
            return stream
        }
    }
}
