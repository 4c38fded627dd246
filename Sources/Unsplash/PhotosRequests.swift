public import APIBaseKit

/// `GET /photos`: a page of the newest photos. One that does not decode fails the whole page.
///
/// ``LenientPhotosRequest`` leaves such photos out instead.
public final class PhotosRequest: UnsplashAPI, Request {
    /// Creates the request for a page.
    ///
    /// - Parameters:
    ///   - page: The number of the page, from 1.
    ///   - perPage: How many photos make a page, at most 30.
    ///   - accessKey: The access key. If it is `nil`, that of the environment.
    public init(page: Int = 1, perPage: Int = 10, accessKey: String? = nil) {
        super.init(accessKey: accessKey)
        path = "/photos"
        queryItems = .page(page, perPage: perPage)
    }

    /// The call. Its value is the page.
    public func start() -> AnyPublisher<[Photo], any Error> {
        decode([Photo].self)
    }
}

/// `GET /photos`: a page of the newest photos, without those that do not decode.
public final class LenientPhotosRequest: UnsplashAPI, Request {
    /// Creates the request for a page.
    ///
    /// - Parameters:
    ///   - page: The number of the page, from 1.
    ///   - perPage: How many photos make a page, at most 30.
    ///   - accessKey: The access key. If it is `nil`, that of the environment.
    public init(page: Int = 1, perPage: Int = 10, accessKey: String? = nil) {
        super.init(accessKey: accessKey)
        path = "/photos"
        queryItems = .page(page, perPage: perPage)
    }

    /// The call. Its value is the photos that decode, and what is wrong with the others.
    public func start() -> AnyPublisher<LenientArray<Photo>, any Error> {
        decode(LenientArray<Photo>.self)
    }
}

/// `GET /photos/{id}`: one photo. Fails with status 404 if there is none.
public final class PhotoRequest: UnsplashAPI, Request {
    /// Creates the request for this photo.
    public init(id: String, accessKey: String? = nil) {
        super.init(accessKey: accessKey)
        path = "/photos/\(segment: id)"
    }

    /// The call. Its value is the photo.
    public func start() -> AnyPublisher<Photo, any Error> {
        decode(Photo.self)
    }
}

/// `GET /photos/random`: one photo, whichever.
public final class RandomPhotoRequest: UnsplashAPI, Request {
    /// Creates the request. `query` narrows the choice to photos that a search for it would find.
    public init(query: String? = nil, accessKey: String? = nil) {
        super.init(accessKey: accessKey)
        path = "/photos/random"
        queryItems = query.map { [URLQueryItem(name: "query", value: $0)] } ?? []
    }

    /// The call. Its value is the photo.
    public func start() -> AnyPublisher<Photo, any Error> {
        decode(Photo.self)
    }
}

/// `GET /search/photos`: a page of what a search finds.
public final class SearchPhotosRequest: UnsplashAPI, Request {
    /// Creates the request for a page.
    ///
    /// - Parameters:
    ///   - query: What to look for.
    ///   - page: The number of the page, from 1.
    ///   - perPage: How many photos make a page, at most 30.
    ///   - accessKey: The access key. If it is `nil`, that of the environment.
    public init(query: String, page: Int = 1, perPage: Int = 10, accessKey: String? = nil) {
        super.init(accessKey: accessKey)
        path = "/search/photos"
        queryItems = [URLQueryItem(name: "query", value: query)] + .page(page, perPage: perPage)
    }

    /// The call. Its value is the page.
    public func start() -> AnyPublisher<SearchResults, any Error> {
        decode(SearchResults.self)
    }
}

extension [URLQueryItem] {
    /// The query that asks for one page.
    fileprivate static func page(_ page: Int, perPage: Int) -> [URLQueryItem] {
        [URLQueryItem(name: "page", value: String(page)), URLQueryItem(name: "per_page", value: String(perPage))]
    }
}
