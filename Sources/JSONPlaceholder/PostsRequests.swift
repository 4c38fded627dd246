import APIBaseKit

/// `GET /posts`: all posts.
public final class PostsRequest: ReadingRequest<[Post]> {
    /// Creates the request. Narrow it with ``APIBase/queryItems``, such as `_page` and `_limit`.
    public init() {
        super.init(path: "/posts")
    }
}

/// `GET /users/{id}/posts`: the posts of one user.
public final class UserPostsRequest: ReadingRequest<[Post]> {
    /// Creates the request for this user. One that does not exist has no posts.
    public init(userID: Int) {
        super.init(path: "/users/\(segment: userID)/posts")
    }
}

/// `GET /posts/{id}`: one post. Fails with status 404 if there is none.
public final class PostRequest: ReadingRequest<Post> {
    /// Creates the request for this post.
    public init(id: Int) {
        super.init(path: "/posts/\(segment: id)")
    }
}

/// `POST /posts`: creates a post. The value has the id the server gave it.
public final class CreatePostRequest: WritingRequest<Post> {
    /// Creates the request for this post.
    public init(_ post: Post) {
        super.init(.post, path: "/posts", post)
    }
}

/// `PUT /posts/{id}`: replaces a post.
public final class UpdatePostRequest: WritingRequest<Post> {
    /// Creates the request that puts this post in the place of the one with this id.
    public init(id: Int, _ post: Post) {
        super.init(.put, path: "/posts/\(segment: id)", post)
    }
}

/// `DELETE /posts/{id}`: deletes a post.
public final class DeletePostRequest: DeletingRequest {
    /// Creates the request for this post.
    public init(id: Int) {
        super.init(path: "/posts/\(segment: id)")
    }
}
