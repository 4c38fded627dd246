public import Foundation
import Basics

/// The body of a request: nothing, bytes, a file, or a stream.
///
/// A body can be sent again, after a redirect or by a retry, unless it is a one-shot stream.
public struct HTTPBody: Sendable {
    enum Content: Sendable {
        case none
        case data(Data)
        case file(URL)
        case stream(count: Int64?, make: @Sendable () throws -> InputStream)
        case once(OneShotStream)
    }

    let content: Content

    /// No body.
    public static var none: HTTPBody { HTTPBody(content: .none) }

    /// These bytes.
    public static func data(_ data: Data) -> HTTPBody {
        HTTPBody(content: .data(data))
    }

    /// The bytes of a file. It must be a regular, readable file when the request is sent; otherwise the exchange fails
    /// with ``TransportError/Reason/invalidRequest(_:)``. It must not change while it is being sent.
    public static func file(_ url: URL) -> HTTPBody {
        HTTPBody(content: .file(url))
    }

    /// The bytes of a stream that can be made anew.
    ///
    /// - Parameters:
    ///   - count: How many bytes the stream has, if that is known. A stream that has more or fewer fails the exchange.
    ///   - make: Makes a fresh, unopened stream; called once for each attempt, never on an engine's thread. What it
    ///     throws fails the exchange.
    /// - Returns: A body that can be sent again.
    public static func stream(count: Int64?, make: @escaping @Sendable () throws -> InputStream) -> HTTPBody {
        HTTPBody(content: .stream(count: count, make: make))
    }

    /// The bytes of a stream that exists once. A second attempt fails with ``TransportError/Reason/bodyNotReplayable``,
    /// and a redirect that would need it again is handed out as the response.
    ///
    /// - Parameters:
    ///   - stream: An unopened stream that nobody else uses.
    ///   - count: How many bytes it has. A stream that has more or fewer fails the exchange.
    /// - Returns: A body that can be sent once.
    public static func once(_ stream: InputStream, count: Int64) -> HTTPBody {
        HTTPBody(content: .once(OneShotStream(stream, count: count)))
    }

    /// How many bytes there are: nil for a stream of unknown length and for a file that cannot be examined.
    public var count: Int64? {
        switch content {
        case .none: 0
        case .data(let data): Int64(data.count)
        case .file(let url):
            // The attributes of a link are its own.
            (try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)[.size] as? NSNumber)?
                .int64Value
        case .stream(let count, _): count
        case .once(let stream): stream.count
        }
    }

    /// Whether the body can be sent a second time.
    public var isReplayable: Bool {
        if case .once = content { return false }
        return true
    }

    /// Whether there is certainly nothing to send: no body, or no bytes in it.
    public var isEmpty: Bool {
        switch content {
        case .none: true
        case .data(let data): data.isEmpty
        case .file, .stream, .once: count == 0
        }
    }
}

/// A stream that the first who asks for it gets, and nobody after.
struct OneShotStream: Sendable {
    private let stream: Locked<InputStream?>
    let count: Int64

    init(_ stream: InputStream, count: Int64) {
        self.stream = Locked(stream)
        self.count = count
    }

    func take() -> InputStream? {
        stream.withLock { stream in
            defer { stream = nil }
            return stream
        }
    }
}
