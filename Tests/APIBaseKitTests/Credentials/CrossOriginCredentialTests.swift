import APIBaseKit
import Basics
import LoopbackServer
import TestTiers
import Testing

/// No credential reaches another server than the one it is for, whatever leads there.
@Suite(.everySession, .limited) struct CrossOriginCredentialTests {
    private static let canary = "canary4711"

    private final class List: APIBase, LinkPagedRequest {
        var target: URL?

        func start() -> AnyPublisher<Int, any Error> { sendRequest().map(\.response.statusCode).eraseToAnyPublisher() }

        override func intercept(
            _ request: URLRequest,
            next: @escaping (URLRequest) -> AnyPublisher<StreamedReply, any Error>
        ) -> AnyPublisher<StreamedReply, any Error> {
            var request = request
            if let target { request.url = target }
            return super.intercept(request, next: next)
        }
    }

    @Test(arguments: Credential.all, ["redirect", "intercept", "page"])
    func `Credentials do not reach another origin by redirect, intercept(_:next:) or a next page link`(
        credential: Credential,
        way: String
    ) async throws {
        let (seen, home) = (Locked<[String]>([]), Locked<[String]>([]))
        @Sendable func keep(_ request: ServerRequest, in place: Locked<[String]>) {
            place.withLock {
                $0.append(request.headers.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n"))
            }
        }
        let other = try HTTPServer { request in
            keep(request, in: seen)
            return .text("other")
        }
        let elsewhere = "http://127.0.0.1:\(other.port)/"
        let server = try HTTPServer { request in
            keep(request, in: home)
            switch way {
            case "redirect": return .text("", status: 307, headers: HTTPFields(["Location": elsewhere]))
            case "page": return .text("1", headers: HTTPFields(["Link": "<\(elsewhere)>; rel=\"next\""]))
            default: return .text("home")
            }
        }
        defer {
            server.stop()
            other.stop()
        }
        let list = List()
        list.session = EverySession.current
        list.baseURL = URL(string: "http://127.0.0.1:\(server.port)")
        credential.apply(list, Self.canary)
        if way == "intercept" { list.target = URL(string: elsewhere) }
        do {
            for try await _ in list.pages(atMost: 3).values {}
            #expect(way != "page")
        } catch RequestError.foreignPage {
            #expect(way == "page")
        }
        #expect(home.withLock { $0.isEmpty } == (way == "intercept"))
        // A page elsewhere is not fetched at all.
        #expect(seen.withLock { $0.isEmpty } == (way == "page"))
        let text = seen.withLock { $0.joined(separator: "\n") }
        #expect(!text.contains(Self.canary) && !text.lowercased().contains("authorization:"))
    }
}
