import APIBaseKit
import Testing

@Suite struct StubsTests {
    @Test func `A call with stubResponse() delivers the given response and data unchanged`() throws {
        let call = Call("/x")
        let url = try #require(URL(string: "http://elsewhere.example/y"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 418, httpVersion: "HTTP/1.1", headerFields: ["X-A": "1"])
        )
        call.dataTaskPublisher = call.stub(with: response, data: Data("tea".utf8))
        let outcome = outcome(of: call.start())
        #expect(outcome.values.map(\.data) == [Data("tea".utf8)])
        #expect(outcome.values.first?.response === response)
        #expect(outcome.isFinished)
    }

    @Test func `A stubbed response has the URL that the request object has when the call starts`() throws {
        let call = Call("/before")
        call.dataTaskPublisher = call.stubResponse(statusCode: 404, data: Data("no".utf8), headers: ["X-A": "1"])
        call.path = "/after"
        let response = try #require(outcome(of: call.start()).values.first?.response)
        #expect(response.url?.absoluteString == "http://api.example/after")
        #expect(response.statusCode == 404)
        #expect(response.value(forHTTPHeaderField: "X-A") == "1")
        #expect(response.value(forHTTPHeaderField: "Content-Length") == "2")
        #expect(response.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test func `A stubJSONResponse() without data has a JSON Content-Type and Content-Length 0`() throws {
        let call = Call()
        call.dataTaskPublisher = call.stubJSONResponse(statusCode: 200, data: Data())
        let response = try #require(outcome(of: call.start()).values.first?.response)
        #expect(response.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(response.value(forHTTPHeaderField: "Content-Length") == "0")
    }

    @Test func `Headers given to stubResponse() replace its default headers, ignoring case`() throws {
        let call = Call()
        call.dataTaskPublisher = call.stubJSONResponse(
            statusCode: 200,
            data: Data("[]".utf8),
            headers: ["content-type": "application/vnd.api+json", "CONTENT-LENGTH": "99"]
        )
        let response = try #require(outcome(of: call.start()).values.first?.response)
        #expect(response.value(forHTTPHeaderField: "Content-Type") == "application/vnd.api+json")
        #expect(response.value(forHTTPHeaderField: "Content-Length") == "99")
        #expect(response.allHeaderFields.count == 2)
    }

    @Test func `A call with a stubbed error fails with it each time the call is started`() {
        let call = Call()
        call.dataTaskPublisher = call.stub(error: URLError(.notConnectedToInternet))
        for _ in 0..<2 {
            #expect((outcome(of: call.start()).failure as? URLError)?.code == .notConnectedToInternet)
        }
    }

    @Test func `A stubbed call builds its URLRequest and stores it in the request property`() {
        let call = Call("/x")
        call.headers["X-A"] = "1"
        call.dataTaskPublisher = call.stubResponse(statusCode: 200, data: Data())
        #expect(call.request == nil)
        #expect(outcome(of: call.start()).isFinished)
        #expect(call.request?.url?.absoluteString == "http://api.example/x")
        #expect(call.request?.value(forHTTPHeaderField: "X-A") == "1")
    }

    @Test func `A call with stubResponse() as dataTaskPublisher sends nothing to its session`() {
        final class Untouchable: HTTPSession {
            func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
                Issue.record("The network was asked: \(request)")
                return Empty().eraseToAnyPublisher()
            }
        }
        let call = Call()
        call.session = Untouchable()
        call.dataTaskPublisher = call.stubResponse(statusCode: 200, data: Data())
        #expect(outcome(of: call.start()).isFinished)
    }

    @Test func `A stubResponse() publisher does not retain the request object it was made for`() {
        weak var held: Call?
        do {
            let call = Call()
            held = call
            call.dataTaskPublisher = call.stubResponse(statusCode: 200, data: Data())
            #expect(outcome(of: call.start()).isFinished)
        }
        #expect(held == nil)
    }

    @Test func `A stubResponse() publisher fails with invalidURL when its request object has been released`() {
        let stub = Call().stubResponse(statusCode: 200, data: Data())
        guard case RequestError.invalidURL? = outcome(of: stub).failure else {
            Issue.record("The stub answered without its request.")
            return
        }
    }

    @Test func `A stubbed call fails with the error that encodeBody() throws`() {
        final class Unencodable: APIBase {
            struct Refused: Error {}
            override func encodeBody() throws -> Data? { throw Refused() }
        }
        let call = Unencodable()
        call.baseURL = URL(string: "http://api.example")
        call.dataTaskPublisher = call.stubResponse(statusCode: 200, data: Data())
        #expect(outcome(of: call.sendRequest()).failure is Unencodable.Refused)
    }
}
