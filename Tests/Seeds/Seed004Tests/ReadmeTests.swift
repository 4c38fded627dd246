import APIBaseKit
import DemoServer
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReadmeTests {
    @Test func `The README's request classes read users from a local server`() async throws {
        let server = DemoAPIServer()
        let url = try server.start()
        defer { server.stop() }

        let users = UsersRequest()
        users.baseURL = url.appendingPathComponent("jsonplaceholder")
        #expect(try await users.value().count == 10)
        #expect(users.request?.value(forHTTPHeaderField: "Accept") == "application/json")

        let data = DataRequest()
        data.path = url.appendingPathComponent("jsonplaceholder/users").absoluteString
        #expect(try await !data.value().isEmpty)
    }

    @Test func `The README's stub answers a request in place of the server`() async throws {
        let request = UsersRequest()
        let user = Data(#"[{"id": 1, "name": "User 1", "username": "user1", "email": "user1@example.com"}]"#.utf8)
        request.dataTaskPublisher = request.stubJSONResponse(statusCode: 200, data: user, headers: [:])
        #expect(try await request.value().map(\.id) == [1])
    }
}

@Suite(.timeLimit(.minutes(1))) struct ClientTests {
    @Test func `A note request sends its fields and token and decodes the note`() async throws {
        let request = NoteRequest(id: 7)
        request.dataTaskPublisher = request.stubJSONResponse(
            statusCode: 200,
            data: Data(#"{"id": 7, "text": "seven"}"#.utf8),
            headers: [:]
        )
        #expect(try await request.value() == Note(id: 7, text: "seven"))
        #expect(request.request?.url?.absoluteString == "http://notes.example/notes/7?fields=id%2Ctext")
        #expect(request.request?.value(forHTTPHeaderField: "Authorization") == "Bearer token")
    }

    @Test func `A request with a JSON body has POST, Content-Type and Content-Length`() throws {
        let request = try CreateNoteRequest(note: Note(id: 1, text: "one")).buildURLRequest()
        #expect(request.httpMethod == "POST")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(request.value(forHTTPHeaderField: "Content-Length") == request.httpBody.map { String($0.count) })
    }

    @Test func `A request with a body stream has Content-Type, Content-Length and the stream`() throws {
        let request = try UploadRequest(data: Data("12345".utf8)).buildURLRequest()
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/octet-stream")
        #expect(request.value(forHTTPHeaderField: "Content-Length") == "5")
        #expect(request.httpBodyStream != nil)
    }

    @Test func `A note request fails with contentTypeMismatch when the response is plain text`() {
        let request = NoteRequest(id: 7)
        request.dataTaskPublisher = request.stubResponse(
            statusCode: 200,
            data: Data("seven".utf8),
            headers: ["Content-Type": "text/plain"]
        )
        var mismatches = 0
        let subscription = request.start().sink(
            receiveCompletion: { completion in
                switch completion {
                case .failure(RequestError.contentTypeMismatch): mismatches += 1
                default: break
                }
            },
            receiveValue: { _ in }
        )
        subscription.cancel()
        #expect(mismatches == 1)
    }

    @Test func `A note request fails with the URLError of its stub`() {
        let request = NoteRequest(id: 7)
        request.dataTaskPublisher = request.stub(error: URLError(.notConnectedToInternet))
        var failure: (any Error)?
        let subscription = request.start().sink(
            receiveCompletion: { if case .failure(let error) = $0 { failure = error } },
            receiveValue: { _ in }
        )
        subscription.cancel()
        #expect((failure as? URLError)?.code == .notConnectedToInternet)
    }
}
