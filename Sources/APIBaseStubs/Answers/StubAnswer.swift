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
        /// Another for each call.
        case function(@Sendable (StubbedCall) throws -> StubAnswer)
    }

    /// The pieces in which a body comes.
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

    /// The point at which a response is broken off.
    public enum Cut: Sendable, Hashable {
        /// Nothing of it arrives.
        case beforeHead
        /// Status and headers arrive, nothing of the body.
        case afterHead
        /// So many bytes of the body arrive, or all of it if it has fewer.
        case afterBytes(Int)
    }

    var content: Content
    var delay = StubDelay.none
    var chunks = Chunks.any
    var chunkDelay = StubDelay.none
    var cut: Cut?
    var misfortune: (@Sendable (Dice) -> StubFault?)?
    /// Whether the response has no end.
    var staysOpen = false
    /// The source of its random numbers: that of the stub that gives it.
    var chance = Dice()

    /// The fault it stands for.
    var fault: StubFault? { if case .fault(let fault) = content { fault } else { nil } }

    var isPassThrough: Bool { if case .passThrough = content { true } else { false } }

    init(_ content: Content) { self.content = content }

    /// The answer to one call: what its function returns, if it is made by one.
    func resolved(for call: StubbedCall) throws -> StubAnswer {
        var answer = self
        while case .function(let function) = answer.content { answer = try function(call) }
        answer.chance = chance
        return answer
    }

    /// This response, with this body.
    public static func response(_ response: HTTPURLResponse, data: Data = Data()) -> StubAnswer {
        StubAnswer(.reply(StubReply(response, data: data)))
    }

    /// An answer with this reply.
    public static func reply(_ reply: StubReply) -> StubAnswer { StubAnswer(.reply(reply)) }

    /// A response with this status, and with a body if there is one.
    public static func status(_ code: Int, headers: HTTPHeaders = [:], data: Data = Data()) -> StubAnswer {
        StubAnswer(.reply(StubReply(statusCode: code, headers: headers, data: data)))
    }

    /// A JSON text, sent as it is. `application/json`, unless `headers` say otherwise.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> StubAnswer {
        .typed("application/json", Data(text.utf8), status, headers)
    }

    /// JSON as bytes, sent as they are.
    public static func json(_ data: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> StubAnswer {
        .typed("application/json", data, status, headers)
    }

    /// An answer with the JSON that `value` encodes to. If it cannot be encoded, the call fails with the encoder's error.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - status: The status of the response.
    ///   - headers: Its headers; `Content-Type` is added if they have none.
    ///   - encoder: What encodes it; by default the ``/APIBaseKit/JSONAPI/encoder`` of each request object that is answered, or
    ///     a new one where that is of no `JSONAPI`.
    /// - Returns: The answer.
    public static func json(
        _ value: some Encodable & Sendable,
        status: Int = 200,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder? = nil
    ) -> StubAnswer {
        StubAnswer(.function { .json(try (encoder ?? $0.encoder).encode(value), status: status, headers: headers) })
    }

    /// The same for a value that may change and so is encoded now, by `encoder` or by a new one.
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

    /// A plain text in UTF-8.
    public static func text(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> StubAnswer {
        .typed("text/plain; charset=utf-8", Data(text.utf8), status, headers)
    }

    /// The bytes of a file, read now. If it cannot be read, the call fails with Foundation's error.
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

    /// No response: the call fails with this error, as it is.
    public static func error(_ error: any Error) -> StubAnswer { StubAnswer(.error(error)) }

    /// No response, or not all of it: the network fails.
    public static func fault(_ fault: StubFault) -> StubAnswer { StubAnswer(.fault(fault)) }

    /// The answer of the real server: the request goes out by the session it would have gone by without stubs. Delays, cuts and
    /// faults do not apply to it.
    public static let passThrough = StubAnswer(.passThrough)

    /// No response, ever. The call ends by its own time-out, at once on ``StubClock/immediate``, or when it is cancelled.
    public static let never = StubAnswer(.reply(StubReply(statusCode: 200))).delayed(by: .never)

    static func typed(_ type: String, _ data: Data, _ status: Int, _ headers: HTTPHeaders) -> StubAnswer {
        var headers = headers
        if !headers.contains(name: "Content-Type") { headers["Content-Type"] = type }
        return StubAnswer(.reply(StubReply(statusCode: status, headers: headers, data: data)))
    }
}

extension StubAnswer {
    /// The same, after a wait in which nothing happens.
    public func delayed(by delay: StubDelay) -> StubAnswer { with { $0.delay = delay } }

    /// The same, after so long.
    public func delayed(by duration: Duration) -> StubAnswer { delayed(by: .fixed(duration)) }

    /// The same, with the body in pieces of so many bytes, and a wait before each of them. Progress counts them.
    public func inChunks(of size: Int, every delay: Duration = .zero) -> StubAnswer {
        with {
            $0.chunks = .of(max(1, size))
            $0.chunkDelay = .fixed(delay)
        }
    }

    /// The beginning of the same; then the connection is lost.
    public func broken(off cut: Cut) -> StubAnswer { with { $0.cut = cut } }

    /// The same most of the time, and a fault with this probability (from 0 to 1): at the same calls of a stub for the same
    /// seed, also if the answer is made anew for each call.
    public func failing(with fault: StubFault, rate: Double, seed: UInt64) -> StubAnswer {
        with { $0.misfortune = { $0.roll(.fault, seed: seed, in: 0...1) < rate ? fault : nil } }
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
