public import APIBaseKit

/// `GET /posts`: all posts.
public final class PostsRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = [Post]
    /// Creates the request. Filter it with ``APIBase/query``, such as `query["_page"] = 2` and `query["_limit"] = 10`.
    public override init() { super.init(.get("/posts")) }
}

/// `GET /users/{id}/posts`: the posts of one user.
public final class UserPostsRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = [Post]
    /// Creates the request for this user. A missing one has no posts.
    public init(userID: Int) { super.init(.get("/users/\(segment: userID)/posts")) }
}

/// `GET /posts/{id}`: one post. Fails with status 404 if it does not exist.
public final class PostRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Post
    /// Creates the request for this post.
    public init(id: Int) { super.init(.get("/posts/\(segment: id)")) }
}

/// `POST /posts`: creates a post. The value has the ID from the server.
public final class CreatePostRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Post
    /// Creates the request for this post.
    public init(_ post: Post) { super.init(.post("/posts", json: post)) }
}

/// `PUT /posts/{id}`: replaces a post.
public final class UpdatePostRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Post
    /// Creates the request that replaces the post with this ID.
    public init(id: Int, _ post: Post) { super.init(.put("/posts/\(segment: id)", json: post)) }
}

/// `DELETE /posts/{id}`: deletes a post.
public final class DeletePostRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Void
    /// Creates the request for this post.
    public init(id: Int) { super.init(.delete("/posts/\(segment: id)")) }
}
