public import APIBaseKit

/// `GET /comments`: all comments.
public final class CommentsRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = [Comment]
    /// Creates the request. Filter it with ``APIBase/query``, such as `query["_page"] = 2` and `query["_limit"] = 10`.
    public override init() { super.init(.get("/comments")) }
}

/// `GET /posts/{id}/comments`: the comments of one post.
public final class PostCommentsRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = [Comment]
    /// Creates the request for this post. A missing one has no comments.
    public init(postID: Int) { super.init(.get("/posts/\(segment: postID)/comments")) }
}

/// `GET /comments/{id}`: one comment. Fails with status 404 if it does not exist.
public final class CommentRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Comment
    /// Creates the request for this comment.
    public init(id: Int) { super.init(.get("/comments/\(segment: id)")) }
}

/// `POST /comments`: creates a comment. The value has the ID from the server.
public final class CreateCommentRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Comment
    /// Creates the request for this comment.
    public init(_ comment: Comment) { super.init(.post("/comments", json: comment)) }
}

/// `PUT /comments/{id}`: replaces a comment.
public final class UpdateCommentRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Comment
    /// Creates the request that replaces the comment with this ID.
    public init(id: Int, _ comment: Comment) { super.init(.put("/comments/\(segment: id)", json: comment)) }
}

/// `DELETE /comments/{id}`: deletes a comment.
public final class DeleteCommentRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Void
    /// Creates the request for this comment.
    public init(id: Int) { super.init(.delete("/comments/\(segment: id)")) }
}
