public import APIBaseKit

/// `GET /photos`: a page of the newest photos. A photo that does not decode fails the whole page.
///
/// ``LenientPhotosRequest`` leaves such photos out instead.
public final class PhotosRequest: UnsplashAPI, Request {
    /// The result of the call.
    public typealias ModelType = [Photo]
    /// Creates the request for a page, counted from 1, of at most 30 photos.
    public init(page: Int = 1, perPage: Int = 10, accessKey: String? = nil) {
        super.init(.get("/photos", query: ["page": page, "per_page": perPage]), accessKey: accessKey)
    }
}

/// `GET /photos`: a page of the newest photos, without those that do not decode.
public final class LenientPhotosRequest: UnsplashAPI, Request {
    /// The result of the call.
    public typealias ModelType = LenientArray<Photo>
    /// Creates the request for a page, counted from 1, of at most 30 photos.
    public init(page: Int = 1, perPage: Int = 10, accessKey: String? = nil) {
        super.init(.get("/photos", query: ["page": page, "per_page": perPage]), accessKey: accessKey)
    }
}

/// `GET /photos/{id}`: one photo. Fails with status 404 if it does not exist.
public final class PhotoRequest: UnsplashAPI, Request {
    /// The result of the call.
    public typealias ModelType = Photo
    /// Creates the request for this photo.
    public init(id: String, accessKey: String? = nil) {
        super.init(.get("/photos/\(segment: id)"), accessKey: accessKey)
    }
}

/// `GET /photos/random`: a random photo.
public final class RandomPhotoRequest: UnsplashAPI, Request {
    /// The result of the call.
    public typealias ModelType = Photo
    /// Creates the request. `query` limits the choice to photos that match it.
    public init(query: String? = nil, accessKey: String? = nil) {
        super.init(.get("/photos/random", query: ["query": query]), accessKey: accessKey)
    }
}

/// `GET /search/photos`: a page of search results.
public final class SearchPhotosRequest: UnsplashAPI, Request {
    /// The result of the call.
    public typealias ModelType = SearchResults
    /// Creates the request for a page, counted from 1, of at most 30 photos.
    public init(query: String, page: Int = 1, perPage: Int = 10, accessKey: String? = nil) {
        let query: QueryItems = ["query": query, "page": page, "per_page": perPage]
        super.init(.get("/search/photos", query: query), accessKey: accessKey)
    }
}
