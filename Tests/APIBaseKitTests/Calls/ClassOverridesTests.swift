import APIBaseKit
import Basics
import TestTiers
import Testing

@testable import APIBaseCore

private enum Trace {
    @TaskLocal static var id = "none"
}

/// A leaf on the network whose server does not exist, with notes of what its own code sees.
private class Noting: JSONAPI {
    override class var baseURL: URL? { URL(string: "http://127.0.0.1:1") }
    let seen = Locked<Set<String>>([])

    override func configure() { retry = RetryPolicy(attempts: 2) }

    func noting<Value>(_ value: Value) -> Value {
        seen.withLock { _ = $0.insert(Trace.id) }
        return value
    }
}

private final class Building: Noting {
    override func buildURLRequest() throws -> URLRequest { noting(try super.buildURLRequest()) }
}
private final class Encoding: Noting {
    override func encodeBody() throws -> Data? { noting(Data()) }
}
private final class Intercepting: Noting {
    override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        noting(next(request))
    }
}
private final class Delaying: Noting {
    override func retryDelay(after attempt: RetryPolicy.FailedAttempt) -> Duration? { noting(nil) }
}
private final class Reporting: Noting {
    override func report(_ event: CallEvent) { if case .began = event { noting(()) } }
}
private final class Based: Noting {
    override var baseURL: URL? {
        get { noting(super.baseURL) }
        set {}
    }
}
private final class Pathed: Noting {
    override var path: String {
        get { noting("/a") }
        set {}
    }
}
private final class Queried: Noting {
    override var queryItems: [URLQueryItem] {
        get { noting([]) }
        set {}
    }
}
private final class Method: Noting {
    override var method: HTTPMethod {
        get { noting(.get) }
        set {}
    }
}
private final class Headed: Noting {
    override var headers: HTTPHeaders {
        get { noting(HTTPHeaders()) }
        set {}
    }
}
private final class Bodied: Noting {
    override var body: Data? {
        get { noting(nil) }
        set {}
    }
}
private final class Contented: Noting {
    override var content: HTTPBody? {
        get { noting(nil) }
        set {}
    }
}
private final class Streamed: Noting {
    override var bodyStream: (stream: InputStream, count: Int)? {
        get { noting(nil) }
        set {}
    }
}
private final class Keyed: Noting {
    override var idempotencyKey: IdempotencyKey? {
        get { noting(nil) }
        set {}
    }
}
private final class Timed: Noting {
    override var timeout: Duration {
        get { noting(.seconds(9)) }
        set {}
    }
}
private final class JSONBodied: Noting {
    override var json: (any Encodable)? {
        get { noting(nil) }
        set {}
    }
}
/// Code of the request's values, in a class that overrides nothing.
private final class Valued: Noting {
    struct Value: Encodable, Sendable {
        let note: @Sendable () -> Void
        func encode(to encoder: any Encoder) throws { note() }
    }
}
private final class Plain: Noting {}

@Suite(.limited) struct ClassOverridesTests {
    private static let hooks: [@Sendable () -> Noting] = [
        { Building() }, { Encoding() }, { Intercepting() }, { Delaying() }, { Reporting() }, { Based() }, { Pathed() },
        { Queried() }, { Method() }, { Headed() }, { Bodied() }, { Contented() }, { Streamed() }, { Keyed() },
        { Timed() }, { JSONBodied() },
    ]

    private func seen(by leaf: Noting) async -> Set<String> {
        let publisher = Trace.$id.withValue("start") { leaf.startRequest() }
        leaf.seen.withLock { $0 = [] }
        await #expect(throws: (any Error).self) { for try await _ in publisher.values {} }
        return leaf.seen.withLock { $0 }
    }

    @Test(arguments: hooks.indices)
    func `Overridden code that runs in an attempt sees the task locals of the code that made the publisher`(
        _ index: Int
    ) async {
        let leaf = Self.hooks[index]()
        #expect(await seen(by: leaf).contains("start"), "\(type(of: leaf))")
    }

    @Test func `Code of values that an attempt encodes or asks sees the task locals too`() async {
        let encoded = Valued()
        encoded.json = Valued.Value { [seen = encoded.seen] in seen.withLock { _ = $0.insert(Trace.id) } }
        #expect(await seen(by: encoded) == ["start"])
        let authorized = Valued()
        authorized.authorization = .tokens(
            TokenSource { [seen = authorized.seen] _ in
                seen.withLock { _ = $0.insert(Trace.id) }
                throw URLError(.timedOut)
            }
        )
        #expect(await seen(by: authorized) == ["start"])
    }

    #if os(Linux) && (arch(x86_64) || arch(arm64))
    /// Overrides only what runs outside of attempts.
    private final class Late: Noting {
        override func configure() {}
        override func error(for failure: HTTPFailure) -> any Error { RequestError.noValue }
        override func startRequest() -> AnyPublisher<DataResponseTuple, any Error> { super.startRequest() }
        override func accepts(_ response: HTTPURLResponse) -> Bool { false }
    }

    private final class OtherDecoder: Noting {
        override var decoder: JSONDecoder {
            get { super.decoder }
            set { super.decoder = newValue }
        }
    }
    private class OwnDecoder: JSONAPI {
        override var decoder: JSONDecoder {
            get { JSONDecoder() }
            set {}
        }
    }
    private class BelowOwnDecoder<Value>: OwnDecoder {}

    @Test func `A class that overrides its decoder, or inherits such a one, is known`() {
        for type in [JSONAPI.self, Plain.self, Late.self, Bodied.self] as [APIBase.Type] {
            #expect(!ClassOverrides.of(type).decoder, "\(type)")
        }
        for type in [OtherDecoder.self, OwnDecoder.self, BelowOwnDecoder<Int>.self] as [APIBase.Type] {
            #expect(ClassOverrides.of(type).decoder, "\(type)")
        }
    }

    @Test func `Task locals cost nothing for a leaf without code that runs in attempts`() {
        for type in [APIBase.self, JSONAPI.self, Plain.self, Late.self] as [APIBase.Type] {
            #expect(!ClassOverrides.of(type).codeInAttempts, "\(type)")
        }
        for hook in Self.hooks { #expect(ClassOverrides.of(type(of: hook())).codeInAttempts, "\(type(of: hook()))") }
    }
    #endif
}
