import APIBaseKit
import DemoServer
import JSONPlaceholder
import Testing

/// Every call of the library, on a real socket.
@Suite(.timeLimit(.minutes(1))) struct RequestsTests {
    private let server: DemoAPIServer
    private let base: URL

    init() throws {
        server = DemoAPIServer()
        base = try server.start().appendingPathComponent("jsonplaceholder")
    }

    private func value<Call: JSONPlaceholderAPI & Request>(_ request: Call) async throws -> Call.ModelType {
        request.baseURL = base
        return try await request.value()
    }

    @Test func listsHaveTheSizesOfTheRealService() async throws {
        defer { server.stop() }
        #expect(try await value(UsersRequest()).count == 10)
        #expect(try await value(PostsRequest()).count == 100)
        #expect(try await value(CommentsRequest()).count == 500)
        #expect(try await value(TodosRequest()).count == 200)
        #expect(try await value(AlbumsRequest()).count == 100)
        #expect(try await value(PhotosRequest()).count == 5_000)
    }

    @Test func nestedListsBelongToTheirOwner() async throws {
        defer { server.stop() }
        #expect(try await value(UserPostsRequest(userID: 2)).map(\.userId) == Array(repeating: 2, count: 10))
        #expect(try await value(UserTodosRequest(userID: 2)).allSatisfy { $0.userId == 2 })
        #expect(try await value(UserAlbumsRequest(userID: 2)).count == 10)
        #expect(try await value(PostCommentsRequest(postID: 3)).map(\.postId) == Array(repeating: 3, count: 5))
        #expect(try await value(AlbumPhotosRequest(albumID: 4)).count == 50)
    }

    @Test func oneOfEachHasItsId() async throws {
        defer { server.stop() }
        #expect(try await value(UserRequest(id: 7)).id == 7)
        #expect(try await value(UserRequest(id: 7)).address?.geo.lat.isEmpty == false)
        #expect(try await value(PostRequest(id: 7)).id == 7)
        #expect(try await value(CommentRequest(id: 7)).id == 7)
        #expect(try await value(TodoRequest(id: 7)).id == 7)
        #expect(try await value(AlbumRequest(id: 7)).id == 7)
        #expect(try await value(PhotoRequest(id: 7)).id == 7)
    }

    @Test func theQueryNarrowsAList() async throws {
        defer { server.stop() }
        let request = PostsRequest()
        request.queryItems = [URLQueryItem(name: "_page", value: "2"), URLQueryItem(name: "_limit", value: "5")]
        #expect(try await value(request).map(\.id) == [6, 7, 8, 9, 10])
    }

    @Test func whatIsCreatedGetsAnId() async throws {
        defer { server.stop() }
        let post = try await value(CreatePostRequest(Post(userId: 1, title: "Title", body: "Body")))
        #expect(post == Post(id: 101, userId: 1, title: "Title", body: "Body"))
        #expect(try await value(CreateUserRequest(User(name: "N", username: "n", email: "n@example.com"))).id == 11)
        #expect(try await value(CreateTodoRequest(Todo(userId: 1, title: "Title"))).id == 201)
        #expect(try await value(CreateAlbumRequest(Album(userId: 1, title: "Title"))).id == 101)
        let comment = Comment(postId: 1, name: "N", email: "n@example.com", body: "Body")
        #expect(try await value(CreateCommentRequest(comment)).id == 501)
        let photo = Photo(albumId: 1, title: "T", url: "http://e.example/1", thumbnailUrl: "http://e.example/2")
        #expect(try await value(CreatePhotoRequest(photo)).id == 5_001)
    }

    @Test func whatIsReplacedComesBack() async throws {
        defer { server.stop() }
        let album = try await value(UpdateAlbumRequest(id: 3, Album(userId: 2, title: "New")))
        #expect(album == Album(id: 3, userId: 2, title: "New"))
        #expect(try await value(UpdatePostRequest(id: 3, Post(userId: 2, title: "New", body: ""))).title == "New")
        #expect(try await value(UpdateTodoRequest(id: 3, Todo(userId: 2, title: "New", completed: true))).completed)
        #expect(try await value(UpdateUserRequest(id: 3, User(name: "N", username: "n", email: "e"))).id == 3)
        let comment = Comment(postId: 1, name: "New", email: "n@example.com", body: "Body")
        #expect(try await value(UpdateCommentRequest(id: 3, comment)).name == "New")
        let photo = Photo(albumId: 1, title: "New", url: "http://e.example/1", thumbnailUrl: "http://e.example/2")
        #expect(try await value(UpdatePhotoRequest(id: 3, photo)).title == "New")
    }

    @Test func deletingGivesNothing() async throws {
        defer { server.stop() }
        try await value(DeleteUserRequest(id: 1))
        try await value(DeletePostRequest(id: 1))
        try await value(DeleteCommentRequest(id: 1))
        try await value(DeleteTodoRequest(id: 1))
        try await value(DeleteAlbumRequest(id: 1))
        try await value(DeletePhotoRequest(id: 1))
    }

    @Test func whatIsNotThereIsStatus404() async {
        defer { server.stop() }
        await #expect { try await value(UserRequest(id: 4_711)) } throws: { error in
            if case RequestError.httpFailure(404) = error { true } else { false }
        }
    }

    @Test func anotherContentTypeIsRefused() async {
        defer { server.stop() }
        let request = UsersRequest()
        request.dataTaskPublisher = request.stubResponse(
            statusCode: 200,
            data: Data("[]".utf8),
            headers: ["Content-Type": "text/html"]
        )
        await #expect(throws: RequestError.contentTypeMismatch(expected: "application/json", received: "text/html")) {
            try await request.value()
        }
    }
}
