public import APIBaseKit

/// `GET /albums`: all albums.
public final class AlbumsRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = [Album]
    /// Creates the request. Filter it with ``APIBase/query``, such as `query["_page"] = 2` and `query["_limit"] = 10`.
    public override init() { super.init(.get("/albums")) }
}

/// `GET /users/{id}/albums`: the albums of one user.
public final class UserAlbumsRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = [Album]
    /// Creates the request for this user. A missing one has no albums.
    public init(userID: Int) { super.init(.get("/users/\(segment: userID)/albums")) }
}

/// `GET /albums/{id}`: one album. Fails with status 404 if it does not exist.
public final class AlbumRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Album
    /// Creates the request for this album.
    public init(id: Int) { super.init(.get("/albums/\(segment: id)")) }
}

/// `POST /albums`: creates an album. The value has the ID from the server.
public final class CreateAlbumRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Album
    /// Creates the request for this album.
    public init(_ album: Album) { super.init(.post("/albums", json: album)) }
}

/// `PUT /albums/{id}`: replaces an album.
public final class UpdateAlbumRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Album
    /// Creates the request that replaces the album with this ID.
    public init(id: Int, _ album: Album) { super.init(.put("/albums/\(segment: id)", json: album)) }
}

/// `DELETE /albums/{id}`: deletes an album.
public final class DeleteAlbumRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Void
    /// Creates the request for this album.
    public init(id: Int) { super.init(.delete("/albums/\(segment: id)")) }
}
