public import APIBaseKit

/// `GET /posts`: all posts.
public final class PostsRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = [Post]
    /// Creates the request. Narrow it with ``APIBase/query``, such as `query["_page"] = 2` and `query["_limit"] = 10`.
    public override init() { super.init(.get("/posts")) }
}

/// `GET /users/{id}/posts`: the posts of one user.
public final class UserPostsRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = [Post]
    /// Creates the request for this user. One that does not exist has no posts.
    public init(userID: Int) { super.init(.get("/users/\(segment: userID)/posts")) }
}

/// `GET /posts/{id}`: one post. Fails with status 404 if there is none.
public final class PostRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Post
    /// Creates the request for this post.
    public init(id: Int) { super.init(.get("/posts/\(segment: id)")) }
}

/// `POST /posts`: creates a post. The value has the id the server gave it.
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
    /// Creates the request that puts this post in the place of the one with this id.
    public init(id: Int, _ post: Post) { super.init(.put("/posts/\(segment: id)", json: post)) }
}

/// `DELETE /posts/{id}`: deletes a post.
public final class DeletePostRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Void
    /// Creates the request for this post.
    public init(id: Int) { super.init(.delete("/posts/\(segment: id)")) }
}
