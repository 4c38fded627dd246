public import APIBaseKit

/// A photo in a list.
public struct Photo: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the photo.
    public var id: String
    /// The date of the upload.
    public var createdAt: Date?
    /// The date of the last change.
    public var updatedAt: Date?
    /// The date when the editors featured the photo. `nil` if they did not.
    public var promotedAt: Date?
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The mean color, as `#RRGGBB`.
    public var color: String?
    /// A BlurHash: a very small version of the photo, as text.
    public var blurHash: String?
    /// The photographer's description.
    public var description: String?
    /// A description for people who cannot see the photo.
    public var altDescription: String?
    /// The URLs of the image in several sizes.
    public var urls: PhotoURLs
    /// The URLs of the photo in the service.
    public var links: PhotoLinks?
    /// The number of likes.
    public var likes: Int?
    /// Whether the caller has liked the photo.
    public var likedByUser: Bool?
    /// The sponsor that paid for the place in the list. `nil` for most photos.
    public var sponsorship: Sponsorship?
    /// The photographer.
    public var user: Photographer
}

/// The URLs of an image in several sizes.
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

/// The URLs of a photo in the service.
public struct PhotoLinks: Codable, Hashable, Sendable {
    /// In the API.
    public var `self`: URL?
    /// On the web site.
    public var html: URL?
    /// The page to download it from.
    public var download: URL?
    /// The URL that reports a download to the service.
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

/// A photographer.
public struct Photographer: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the account.
    public var id: String
    /// The user name.
    public var username: String
    /// The full name.
    public var name: String
    /// The first name.
    public var firstName: String?
    /// The last name.
    public var lastName: String?
    /// The biography.
    public var bio: String?
    /// The place where the photographer lives.
    public var location: String?
    /// The photographer's own web site.
    public var portfolioUrl: URL?
    /// The URLs of the profile image, by size.
    public var profileImage: [String: URL]?
    /// The number of uploaded photos.
    public var totalPhotos: Int?
}

/// A page of search results.
public struct SearchResults: Codable, Hashable, Sendable {
    /// The total number of photos found.
    public var total: Int
    /// The number of pages.
    public var totalPages: Int
    /// The photos on this page.
    public var results: [Photo]
}
