public import APIBaseKit

/// The calls for albums.
extension JSONPlaceholderAPI {
    /// `GET /albums`: all albums, or a page with `albums().with { $0.query = ["_page": 2, "_limit": 10] }`.
    public static func albums() -> APICall<[Album]> { JSONPlaceholderAPI(.get("/albums")).call() }

    /// `GET /users/{id}/albums`: the albums of one user. A missing one has no albums.
    public static func albums(ofUser id: Int) -> APICall<[Album]> {
        JSONPlaceholderAPI(.get("/users/\(segment: id)/albums")).call()
    }

    /// `GET /albums/{id}`: one album. Fails with status 404 if it does not exist.
    public static func album(_ id: Int) -> APICall<Album> { JSONPlaceholderAPI(.get("/albums/\(segment: id)")).call() }

    /// `POST /albums`: creates an album. The value has the ID from the server.
    public static func create(_ album: Album) -> APICall<Album> {
        JSONPlaceholderAPI(.post("/albums", json: album)).call()
    }

    /// `PUT /albums/{id}`: replaces an album.
    public static func replaceAlbum(_ id: Int, with album: Album) -> APICall<Album> {
        JSONPlaceholderAPI(.put("/albums/\(segment: id)", json: album)).call()
    }

    /// `DELETE /albums/{id}`: deletes an album.
    public static func deleteAlbum(_ id: Int) -> APICall<Void> {
        JSONPlaceholderAPI(.delete("/albums/\(segment: id)")).call()
    }
}

/// The calls for comments.
extension JSONPlaceholderAPI {
    /// `GET /comments`: all comments, or a page with `comments().with { $0.query = ["_page": 2, "_limit": 10] }`.
    public static func comments() -> APICall<[Comment]> { JSONPlaceholderAPI(.get("/comments")).call() }

    /// `GET /posts/{id}/comments`: the comments of one post. A missing one has no comments.
    public static func comments(ofPost id: Int) -> APICall<[Comment]> {
        JSONPlaceholderAPI(.get("/posts/\(segment: id)/comments")).call()
    }

    /// `GET /comments/{id}`: one comment. Fails with status 404 if it does not exist.
    public static func comment(_ id: Int) -> APICall<Comment> {
        JSONPlaceholderAPI(.get("/comments/\(segment: id)")).call()
    }

    /// `POST /comments`: creates a comment. The value has the ID from the server.
    public static func create(_ comment: Comment) -> APICall<Comment> {
        JSONPlaceholderAPI(.post("/comments", json: comment)).call()
    }

    /// `PUT /comments/{id}`: replaces a comment.
    public static func replaceComment(_ id: Int, with comment: Comment) -> APICall<Comment> {
        JSONPlaceholderAPI(.put("/comments/\(segment: id)", json: comment)).call()
    }

    /// `DELETE /comments/{id}`: deletes a comment.
    public static func deleteComment(_ id: Int) -> APICall<Void> {
        JSONPlaceholderAPI(.delete("/comments/\(segment: id)")).call()
    }
}

/// The calls for photos.
extension JSONPlaceholderAPI {
    /// `GET /photos`: all photos, or a page with `photos().with { $0.query = ["_page": 2, "_limit": 10] }`.
    public static func photos() -> APICall<[Photo]> { JSONPlaceholderAPI(.get("/photos")).call() }

    /// `GET /albums/{id}/photos`: the photos of one album. A missing one has no photos.
    public static func photos(ofAlbum id: Int) -> APICall<[Photo]> {
        JSONPlaceholderAPI(.get("/albums/\(segment: id)/photos")).call()
    }

    /// `GET /photos/{id}`: one photo. Fails with status 404 if it does not exist.
    public static func photo(_ id: Int) -> APICall<Photo> { JSONPlaceholderAPI(.get("/photos/\(segment: id)")).call() }

    /// `POST /photos`: creates a photo. The value has the ID from the server.
    public static func create(_ photo: Photo) -> APICall<Photo> {
        JSONPlaceholderAPI(.post("/photos", json: photo)).call()
    }

    /// `PUT /photos/{id}`: replaces a photo.
    public static func replacePhoto(_ id: Int, with photo: Photo) -> APICall<Photo> {
        JSONPlaceholderAPI(.put("/photos/\(segment: id)", json: photo)).call()
    }

    /// `DELETE /photos/{id}`: deletes a photo.
    public static func deletePhoto(_ id: Int) -> APICall<Void> {
        JSONPlaceholderAPI(.delete("/photos/\(segment: id)")).call()
    }
}
