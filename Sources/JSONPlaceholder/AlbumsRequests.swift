import APIBaseKit

/// `GET /albums`: all albums.
public final class AlbumsRequest: ReadingRequest<[Album]> {
    /// Creates the request. Narrow it with ``APIBase/queryItems``, such as `_page` and `_limit`.
    public init() {
        super.init(path: "/albums")
    }
}

/// `GET /users/{id}/albums`: the albums of one user.
public final class UserAlbumsRequest: ReadingRequest<[Album]> {
    /// Creates the request for this user. One that does not exist has no albums.
    public init(userID: Int) {
        super.init(path: "/users/\(segment: userID)/albums")
    }
}

/// `GET /albums/{id}`: one album. Fails with status 404 if there is none.
public final class AlbumRequest: ReadingRequest<Album> {
    /// Creates the request for this album.
    public init(id: Int) {
        super.init(path: "/albums/\(segment: id)")
    }
}

/// `POST /albums`: creates an album. The value has the id the server gave it.
public final class CreateAlbumRequest: WritingRequest<Album> {
    /// Creates the request for this album.
    public init(_ album: Album) {
        super.init(.post, path: "/albums", album)
    }
}

/// `PUT /albums/{id}`: replaces an album.
public final class UpdateAlbumRequest: WritingRequest<Album> {
    /// Creates the request that puts this album in the place of the one with this id.
    public init(id: Int, _ album: Album) {
        super.init(.put, path: "/albums/\(segment: id)", album)
    }
}

/// `DELETE /albums/{id}`: deletes an album.
public final class DeleteAlbumRequest: DeletingRequest {
    /// Creates the request for this album.
    public init(id: Int) {
        super.init(path: "/albums/\(segment: id)")
    }
}
