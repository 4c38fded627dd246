public import APIBaseKit

/// `GET /photos`: all photos.
public final class PhotosRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = [Photo]
    /// Creates the request. Filter it with ``APIBase/query``, such as `query["_page"] = 2` and `query["_limit"] = 10`.
    public override init() { super.init(.get("/photos")) }
}

/// `GET /albums/{id}/photos`: the photos of one album.
public final class AlbumPhotosRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = [Photo]
    /// Creates the request for this album. A missing one has no photos.
    public init(albumID: Int) { super.init(.get("/albums/\(segment: albumID)/photos")) }
}

/// `GET /photos/{id}`: one photo. Fails with status 404 if it does not exist.
public final class PhotoRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Photo
    /// Creates the request for this photo.
    public init(id: Int) { super.init(.get("/photos/\(segment: id)")) }
}

/// `POST /photos`: creates a photo. The value has the ID from the server.
public final class CreatePhotoRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Photo
    /// Creates the request for this photo.
    public init(_ photo: Photo) { super.init(.post("/photos", json: photo)) }
}

/// `PUT /photos/{id}`: replaces a photo.
public final class UpdatePhotoRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Photo
    /// Creates the request that replaces the photo with this ID.
    public init(id: Int, _ photo: Photo) { super.init(.put("/photos/\(segment: id)", json: photo)) }
}

/// `DELETE /photos/{id}`: deletes a photo.
public final class DeletePhotoRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Void
    /// Creates the request for this photo.
    public init(id: Int) { super.init(.delete("/photos/\(segment: id)")) }
}
