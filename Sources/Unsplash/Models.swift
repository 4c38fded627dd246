public import APIBaseKit

/// A photo, as lists show it.
public struct Photo: Codable, Hashable, Sendable, Identifiable {
    /// The name of the photo in the service.
    public var id: String
    /// The date at which the photo was uploaded.
    public var createdAt: Date?
    /// The date at which the photo was last changed.
    public var updatedAt: Date?
    /// The date at which the editors chose the photo. `nil` if they did not.
    public var promotedAt: Date?
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The mean color, as `#RRGGBB`.
    public var color: String?
    /// A very small picture of the photo, as text.
    public var blurHash: String?
    /// The photographer's description.
    public var description: String?
    /// A description of the picture for people who cannot see it.
    public var altDescription: String?
    /// The addresses of the picture in several sizes.
    public var urls: PhotoURLs
    /// The addresses of the photo in the service.
    public var links: PhotoLinks?
    /// The number of people who like it.
    public var likes: Int?
    /// Whether the caller likes it.
    public var likedByUser: Bool?
    /// The sponsor of its place in the list. `nil` for most.
    public var sponsorship: Sponsorship?
    /// The photographer.
    public var user: Photographer
}

/// The addresses of a picture in several sizes.
public struct PhotoURLs: Codable, Hashable, Sendable {
    /// As it was uploaded.
    public var raw: URL
    /// In full size, as JPEG.
    public var full: URL
    /// 1080 pixels wide.
    public var regular: URL
    /// 400 pixels wide.
    public var small: URL
    /// 200 pixels wide.
    public var thumb: URL
}

/// The addresses of a photo in the service.
public struct PhotoLinks: Codable, Hashable, Sendable {
    /// In the API.
    public var `self`: URL?
    /// On the web site.
    public var html: URL?
    /// For downloading it by hand.
    public var download: URL?
    /// For telling the service of a download.
    public var downloadLocation: URL?
}

/// The sponsor of a photo's place in a list.
public struct Sponsorship: Codable, Hashable, Sendable {
    /// The sponsor's slogan.
    public var tagline: String?
    /// The sponsor's web site.
    public var taglineUrl: URL?
    /// The sponsor.
    public var sponsor: Photographer?
}

/// Somebody who uploads photos.
public struct Photographer: Codable, Hashable, Sendable, Identifiable {
    /// The name of the account in the API.
    public var id: String
    /// The name of the account on the web site.
    public var username: String
    /// The full name.
    public var name: String
    /// The first name.
    public var firstName: String?
    /// The last name.
    public var lastName: String?
    /// The photographer's words about themselves.
    public var bio: String?
    /// The place in which the photographer lives.
    public var location: String?
    /// The photographer's own web site.
    public var portfolioUrl: URL?
    /// The addresses of the portrait, by size.
    public var profileImage: [String: URL]?
    /// The number of photos that the photographer has uploaded.
    public var totalPhotos: Int?
}

/// One page of what a search found.
public struct SearchResults: Codable, Hashable, Sendable {
    /// The number of photos that were found in all.
    public var total: Int
    /// The number of pages.
    public var totalPages: Int
    /// The photos on this page.
    public var results: [Photo]
}
