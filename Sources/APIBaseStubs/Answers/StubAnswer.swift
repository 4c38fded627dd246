public import Foundation
public import HTTPTransport
import Basics

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// An answer that a stub gives in place of the network.
public struct StubAnswer: Sendable {
    enum Content: Sendable {
        case reply(StubReply)
        case error(any Error)
        case fault(StubFault)
        case passThrough
        case function(@Sendable (StubbedCall) throws -> StubAnswer)
    }

    enum Chunks: Sendable {
        case any
        case of(Int)
        case lengths([Int])

        var areDelayed: Bool { if case .any = self { false } else { true } }

        func size(of number: Int) -> Int {
            switch self {
            case .any: 16 << 10
            case .of(let size): size
            case .lengths(let lengths): lengths.indices.contains(number) ? max(1, lengths[number]) : .max
            }
        }
    }

    /// The point at which the connection is lost.
    public enum Cut: Sendable, Hashable {
        /// Before anything of the response arrives.
        case beforeHead
        /// After status and headers, before the body.
        case afterHead
        /// After this many bytes of the body, or after the whole body if it is shorter.
        case afterBytes(Int)
    }

    var content: Content
    var delay = StubDelay.none
    var chunks = Chunks.any
    var chunkDelay = StubDelay.none
    var cut: Cut?
    var randomFault: (@Sendable (SeededRandom) -> StubFault?)?
    var staysOpen = false
    var socket: SocketTalk?
    var random = SeededRandom()
    /// Where the socket of this answer notes what it expects of its client: one for all answers of a stub.
    var expectations: SocketExpectations?

    var fault: StubFault? { if case .fault(let fault) = content { fault } else { nil } }

    var isPassThrough: Bool { if case .passThrough = content { true } else { false } }

    init(_ content: Content) { self.content = content }

    /// The answer to one call: the result of its function, if it has one.
    func resolved(for call: StubbedCall) throws -> StubAnswer {
        var answer = self
        while case .function(let function) = answer.content { answer = try function(call) }
        (answer.random, answer.expectations) = (random, expectations)
        return answer
    }

    /// Answers with this response and this body.
    public static func response(_ response: HTTPURLResponse, data: Data = Data()) -> StubAnswer {
        StubAnswer(.reply(StubReply(response, data: data)))
    }

    /// Answers with this reply.
    public static func reply(_ reply: StubReply) -> StubAnswer { StubAnswer(.reply(reply)) }

    /// Answers with the body of the request, and its type, and the status 200.
    public static var echo: StubAnswer {
        StubAnswer(
            .function { call in
                .status(200, headers: call.headers["Content-Type"].map { ["Content-Type": $0] } ?? [:], data: call.body)
            }
        )
    }

    /// Answers with this status, headers and body.
    public static func status(_ code: Int, headers: HTTPHeaders = [:], data: Data = Data()) -> StubAnswer {
        StubAnswer(.reply(StubReply(statusCode: code, headers: headers, data: data)))
    }

    /// Answers with a JSON text, unchanged. `Content-Type` is `application/json` unless `headers` has one.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> StubAnswer {
        .typed("application/json", Data(text.utf8), status, headers)
    }

    /// Answers with JSON as bytes, unchanged. `Content-Type` is `application/json` unless `headers` has one.
    public static func json(_ data: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> StubAnswer {
        .typed("application/json", data, status, headers)
    }

    /// Answers with the JSON that `value` encodes to. If it cannot be encoded, the call fails with the encoder's error.
    ///
    /// The value is encoded for each call by `encoder`; by default by the ``/APIBaseKit/JSONAPI/encoder`` of the
    /// request object, or by a new encoder if the object is no `JSONAPI`. `Content-Type` is added if `headers` has
    /// none.
    public static func json(
        _ value: some Encodable & Sendable,
        status: Int = 200,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder? = nil
    ) -> StubAnswer {
        StubAnswer(.function { .json(try (encoder ?? $0.encoder).encode(value), status: status, headers: headers) })
    }

    /// The same for a value that is not `Sendable`. It is encoded immediately, by `encoder` or by a new encoder.
    public static func json(
        _ value: some Encodable,
        status: Int = 200,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder? = nil
    ) -> StubAnswer {
        do {
            return .typed("application/json", try (encoder ?? JSONEncoder()).encode(value), status, headers)
        } catch {
            return .error(error)
        }
    }

    /// Answers with plain text in UTF-8.
    public static func text(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> StubAnswer {
        .typed("text/plain; charset=utf-8", Data(text.utf8), status, headers)
    }

    /// Answers with the bytes of a file. The file is read immediately; if that fails, the call fails with Foundation's
    /// error.
    public static func file(
        _ url: URL,
        contentType: String = "application/json",
        status: Int = 200,
        headers: HTTPHeaders = [:]
    ) -> StubAnswer {
        do {
            return .typed(contentType, try Data(contentsOf: url), status, headers)
        } catch {
            return .error(error)
        }
    }

    /// Fails the call with this error, unchanged.
    public static func error(_ error: any Error) -> StubAnswer { StubAnswer(.error(error)) }

    /// Fails the call as a network fails.
    public static func fault(_ fault: StubFault) -> StubAnswer { StubAnswer(.fault(fault)) }

    /// Sends the request to the real server, on the session it would have used without stubs. Delays, cuts and faults
    /// do not apply.
    public static let passThrough = StubAnswer(.passThrough)

    /// Never answers. The call ends by its own timeout, or when it is canceled.
    ///
    /// On ``StubClock/immediate`` the timeout comes at once, so a cancel comes too late; the error says so. To test a
    /// cancel, use ``StubClock/manual(movedWithin:)``.
    public static let never = StubAnswer(.reply(StubReply(statusCode: 200))).delayed(by: .never)

    /// Switches to a WebSocket, and has `talk` speak with the client: see ``Stub/socket(subprotocol:_:)``.
    ///
    /// A request that is no handshake of a socket gets a status of 101, which is a failure.
    public static func socket(
        subprotocol: String? = nil,
        _ talk: @escaping @Sendable (StubSocket) async throws -> Void
    ) -> StubAnswer {
        var answer = StubAnswer.status(101)
        answer.socket = SocketTalk(subprotocol: subprotocol, talk: talk)
        return answer
    }

    static func typed(_ type: String, _ data: Data, _ status: Int, _ headers: HTTPHeaders) -> StubAnswer {
        var headers = headers
        if !headers.contains(name: "Content-Type") { headers["Content-Type"] = type }
        return StubAnswer(.reply(StubReply(statusCode: status, headers: headers, data: data)))
    }
}

extension StubAnswer {
    /// Returns this answer after a delay.
    public func delayed(by delay: StubDelay) -> StubAnswer { with { $0.delay = delay } }

    /// Returns this answer after a fixed delay.
    public func delayed(by duration: Duration) -> StubAnswer { delayed(by: .fixed(duration)) }

    /// Returns this answer with its body in chunks of `size` bytes, and a delay before each. Each chunk counts for
    /// progress.
    public func inChunks(of size: Int, every delay: Duration = .zero) -> StubAnswer {
        with {
            $0.chunks = .of(max(1, size))
            $0.chunkDelay = .fixed(delay)
        }
    }

    /// Returns the beginning of this answer. Then the connection is lost.
    public func broken(off cut: Cut) -> StubAnswer { with { $0.cut = cut } }

    /// Returns this answer, or a fault with the probability `rate` (from 0 to 1).
    ///
    /// The same seed gives faults at the same calls of a stub, also if a function makes the answer for each call.
    public func failing(with fault: StubFault, rate: Double, seed: UInt64) -> StubAnswer {
        with { $0.randomFault = { $0.next(.fault, seed: seed, in: 0...1) < rate ? fault : nil } }
    }

    func with(_ change: @escaping @Sendable (inout StubAnswer) -> Void) -> StubAnswer {
        var copy = self
        if case .function(let function) = content {
            copy.content = .function { try function($0).with(change) }
            return copy
        }
        change(&copy)
        return copy
    }
}

/// The other end of a client's socket.
struct SocketTalk: Sendable {
    let subprotocol: String?
    let talk: @Sendable (StubSocket) async throws -> Void
}
