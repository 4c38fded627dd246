import APIBaseContract
import DemoServer
import JSONPlaceholder
import TestTiers
import Testing

@Suite(.document("openapi.json"), .limited) struct RequestsTests {
    private typealias API = JSONPlaceholderAPI

    @Test(.stubs { $0.on(document: try APIDocument(file: "openapi.json")) })
    func `Each JSONPlaceholder endpoint sends the HTTP method and path of its endpoint`() async throws {
        let (user, post, todo) = (
            User(name: "N", username: "n", email: "e"), Post(userId: 1, title: "T", body: "B"),
            Todo(userId: 1, title: "T")
        )
        let (album, photo) = (Album(userId: 1, title: "T"), Photo(albumId: 1, title: "T", url: "u", thumbnailUrl: "t"))
        let comment = Comment(postId: 1, name: "N", email: "e", body: "B")
        let calls: [(any JSONPlaceholderAPI & Request, String)] = [
            (UsersRequest(), "GET /users"), (UserRequest(id: 7), "GET /users/7"),
            (CreateUserRequest(user), "POST /users"),
            (UpdateUserRequest(id: 3, user), "PUT /users/3"), (DeleteUserRequest(id: 1), "DELETE /users/1"),
            (PostsRequest(), "GET /posts"), (UserPostsRequest(userID: 2), "GET /users/2/posts"),
            (PostRequest(id: 7), "GET /posts/7"), (CreatePostRequest(post), "POST /posts"),
            (UpdatePostRequest(id: 3, post), "PUT /posts/3"), (DeletePostRequest(id: 1), "DELETE /posts/1"),
            (TodosRequest(), "GET /todos"), (UserTodosRequest(userID: 2), "GET /users/2/todos"),
            (TodoRequest(id: 7), "GET /todos/7"), (CreateTodoRequest(todo), "POST /todos"),
            (UpdateTodoRequest(id: 3, todo), "PUT /todos/3"), (DeleteTodoRequest(id: 1), "DELETE /todos/1"),
        ]
        let oneLine: [(any Request, String)] = [
            (API.comments(), "GET /comments"), (API.comments(ofPost: 3), "GET /posts/3/comments"),
            (API.comment(7), "GET /comments/7"), (API.create(comment), "POST /comments"),
            (API.replaceComment(3, with: comment), "PUT /comments/3"), (API.deleteComment(1), "DELETE /comments/1"),
            (API.albums(), "GET /albums"), (API.albums(ofUser: 2), "GET /users/2/albums"),
            (API.album(7), "GET /albums/7"), (API.create(album), "POST /albums"),
            (API.replaceAlbum(3, with: album), "PUT /albums/3"), (API.deleteAlbum(1), "DELETE /albums/1"),
            (API.photos(), "GET /photos"), (API.photos(ofAlbum: 4), "GET /albums/4/photos"),
            (API.photo(7), "GET /photos/7"), (API.create(photo), "POST /photos"),
            (API.replacePhoto(3, with: photo), "PUT /photos/3"), (API.deletePhoto(1), "DELETE /photos/1"),
        ]
        for (call, _) in calls { _ = try await call.value() }
        for (call, _) in oneLine { _ = try await call.value() }
        let sent = try #require(Stubs.current).calls
        #expect(sent.map { "\($0.method.rawValue) \($0.path)" } == calls.map(\.1) + oneLine.map(\.1))
        #expect(sent.allSatisfy { $0.url?.host == "jsonplaceholder.typicode.com" })
    }

    @Test(
        .stubs { stubs in
            stubs.on(.post, "/albums").answer { call in
                .json(Data(#"{"id":101,"#.utf8) + call.body.dropFirst(), status: 201)
            }
            stubs.on(.put, "/albums/:id").answer { call in
                .json(Data("{\"id\":\(call.parameters["id"] ?? ""),".utf8) + call.body.dropFirst())
            }
        }
    )
    func `Requests to create or update an album send it as JSON and decode the album in the response`() async throws {
        let album = Album(userId: 2, title: "New")
        #expect(try await API.create(album).value() == Album(id: 101, userId: 2, title: "New"))
        #expect(try await API.replaceAlbum(3, with: album).value() == Album(id: 3, userId: 2, title: "New"))
        #expect(Stubs.current?.calls.first?.headers["Content-Type"]?.hasPrefix("application/json") == true)
    }

    @Test(.stubs { $0.on(PostsRequest.self, query: ["_page": "2", "_limit": "5"]).answer(.json("[]")) })
    func `PostsRequest adds its queryItems to the URL that it sends`() async throws {
        let request = PostsRequest()
        request.queryItems = [URLQueryItem(name: "_page", value: "2"), URLQueryItem(name: "_limit", value: "5")]
        #expect(try await request.value().isEmpty)
    }

    @Test(.stubs { $0.on(UserRequest.self).answer(.json("{}", status: 404)) })
    func `UserRequest for an unknown user fails with RequestError.httpFailure of status 404`() async {
        await #expect { try await UserRequest(id: 4_711).value() } throws: { error in
            if case RequestError.httpFailure(404) = error { true } else { false }
        }
    }

    @Test(
        .stubs { stubs in
            stubs.on(UsersRequest.self).answer(.json("[]", headers: ["Content-Type": "text/html"]))
                .allowing(.undocumentedMediaType("text/html"))
        }
    )
    func `UsersRequest fails with contentTypeMismatch when the response has the HTML content type`() async {
        await #expect {
            try await UsersRequest().value()
        } throws: { error in
            if case RequestError.contentTypeMismatch(_, "text/html", let reply) = error {
                reply.body == Data("[]".utf8)
            } else {
                false
            }
        }
    }

    @Test func `JSONPlaceholder lists on the demo server have as many entries as on the real service`() async throws {
        let server = DemoAPIServer()
        let base = try server.start().appendingPathComponent("jsonplaceholder")
        defer { server.stop() }
        func value<Call: JSONPlaceholderAPI & Request>(_ request: Call) async throws -> Call.ModelType {
            request.baseURL = base
            return try await request.value()
        }
        func value<Value>(_ call: APICall<Value>) async throws -> Value {
            try await call.with { $0.baseURL = base }.value()
        }
        #expect(try await value(UsersRequest()).count == 10)
        #expect(try await value(PostsRequest()).count == 100)
        #expect(try await value(API.comments()).count == 500)
        #expect(try await value(TodosRequest()).count == 200)
        #expect(try await value(API.albums(ofUser: 2)).count == 10)
        #expect(try await value(API.photos(ofAlbum: 4)).count == 50)
        #expect(try await value(CreateUserRequest(User(name: "N", username: "n", email: "n@example.com"))).id == 11)
        try await value(API.deletePhoto(1))
    }
}
