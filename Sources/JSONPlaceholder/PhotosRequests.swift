import APIBaseKit

/// `GET /photos`: all photos.
public final class PhotosRequest: ReadingRequest<[Photo]> {
    /// Creates the request. Narrow it with ``APIBase/queryItems``, such as `_page` and `_limit`.
    public init() {
        super.init(path: "/photos")
    }
}

/// `GET /albums/{id}/photos`: the photos of one album.
public final class AlbumPhotosRequest: ReadingRequest<[Photo]> {
    /// Creates the request for this album. One that does not exist has no photos.
    public init(albumID: Int) {
        super.init(path: "/albums/\(segment: albumID)/photos")
    }
}

/// `GET /photos/{id}`: one photo. Fails with status 404 if there is none.
public final class PhotoRequest: ReadingRequest<Photo> {
    /// Creates the request for this photo.
    public init(id: Int) {
        super.init(path: "/photos/\(segment: id)")
    }
}

/// `POST /photos`: creates a photo. The value has the id the server gave it.
public final class CreatePhotoRequest: WritingRequest<Photo> {
    /// Creates the request for this photo.
    public init(_ photo: Photo) {
        super.init(.post, path: "/photos", photo)
    }
}

/// `PUT /photos/{id}`: replaces a photo.
public final class UpdatePhotoRequest: WritingRequest<Photo> {
    /// Creates the request that puts this photo in the place of the one with this id.
    public init(id: Int, _ photo: Photo) {
        super.init(.put, path: "/photos/\(segment: id)", photo)
    }
}

/// `DELETE /photos/{id}`: deletes a photo.
public final class DeletePhotoRequest: DeletingRequest {
    /// Creates the request for this photo.
    public init(id: Int) {
        super.init(path: "/photos/\(segment: id)")
    }
}
