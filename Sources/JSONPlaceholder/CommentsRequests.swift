import APIBaseKit

/// `GET /comments`: all comments.
public final class CommentsRequest: ReadingRequest<[Comment]> {
    /// Creates the request. Narrow it with ``APIBase/queryItems``, such as `_page` and `_limit`.
    public init() {
        super.init(path: "/comments")
    }
}

/// `GET /posts/{id}/comments`: the comments of one post.
public final class PostCommentsRequest: ReadingRequest<[Comment]> {
    /// Creates the request for this post. One that does not exist has no comments.
    public init(postID: Int) {
        super.init(path: "/posts/\(segment: postID)/comments")
    }
}

/// `GET /comments/{id}`: one comment. Fails with status 404 if there is none.
public final class CommentRequest: ReadingRequest<Comment> {
    /// Creates the request for this comment.
    public init(id: Int) {
        super.init(path: "/comments/\(segment: id)")
    }
}

/// `POST /comments`: creates a comment. The value has the id the server gave it.
public final class CreateCommentRequest: WritingRequest<Comment> {
    /// Creates the request for this comment.
    public init(_ comment: Comment) {
        super.init(.post, path: "/comments", comment)
    }
}

/// `PUT /comments/{id}`: replaces a comment.
public final class UpdateCommentRequest: WritingRequest<Comment> {
    /// Creates the request that puts this comment in the place of the one with this id.
    public init(id: Int, _ comment: Comment) {
        super.init(.put, path: "/comments/\(segment: id)", comment)
    }
}

/// `DELETE /comments/{id}`: deletes a comment.
public final class DeleteCommentRequest: DeletingRequest {
    /// Creates the request for this comment.
    public init(id: Int) {
        super.init(path: "/comments/\(segment: id)")
    }
}
