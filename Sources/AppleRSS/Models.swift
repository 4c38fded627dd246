/// The reply of the service: an object with the feed in it.
public struct FeedResponse: Codable, Hashable, Sendable {
    /// The feed.
    public var feed: Feed
}

/// A chart of one store.
public struct Feed: Codable, Hashable, Sendable {
    /// The name of the chart.
    public var title: String
    /// The address of the feed.
    public var id: String
    /// The maker of the feed.
    public var author: Author
    /// The addresses of the feed, each under the name of its relation, such as `self`.
    public var links: [[String: String]]
    /// The notice of copyright.
    public var copyright: String
    /// The country of the store, in two letters.
    public var country: String
    /// The address of an icon.
    public var icon: String
    /// The date at which the feed was made, as in an e-mail (RFC 5322, section 3.3).
    public var updated: String
    /// The items of the chart, the most popular first.
    public var results: [FeedItem]
}

/// The maker of a feed.
public struct Author: Codable, Hashable, Sendable {
    /// The name.
    public var name: String
    /// The address of the web site.
    public var url: String
}

/// Something on a chart: an app, an album, a podcast, a book.
public struct FeedItem: Codable, Hashable, Sendable, Identifiable {
    /// The number of the item in the store.
    public var id: String
    /// The artist or maker.
    public var artistName: String
    /// The name of the item.
    public var name: String
    /// The day it came out, as `yyyy-MM-dd`. Some kinds have none.
    public var releaseDate: String?
    /// The kind of item, such as `apps`.
    public var kind: String?
    /// The address of a picture, 100 pixels wide.
    public var artworkUrl100: String
    /// The genres of the item. Empty for apps.
    public var genres: [Genre]?
    /// The address of the item in the store.
    public var url: String
}

/// A genre of items.
public struct Genre: Codable, Hashable, Sendable {
    /// The number of the genre.
    public var genreId: String
    /// The name of the genre.
    public var name: String
    /// The address of the genre in the store.
    public var url: String?
}

/// A chart that the service has: a kind of media, the name of the chart, and what is on it.
public struct Chart: Hashable, Sendable {
    /// The kind of media, such as `apps`.
    public var media: String
    /// The name of the chart, such as `top-free`.
    public var name: String
    /// The kind of items on it, such as `apps`.
    public var type: String

    /// Creates a chart that has no name here yet.
    public init(media: String, name: String, type: String) {
        self.media = media
        self.name = name
        self.type = type
    }

    /// The apps that cost nothing.
    public static let topFreeApps = Chart(media: "apps", name: "top-free", type: "apps")
    /// The apps that are sold.
    public static let topPaidApps = Chart(media: "apps", name: "top-paid", type: "apps")
    /// The albums that are played most.
    public static let mostPlayedAlbums = Chart(media: "music", name: "most-played", type: "albums")
    /// The songs that are played most.
    public static let mostPlayedSongs = Chart(media: "music", name: "most-played", type: "songs")
    /// The podcasts.
    public static let topPodcasts = Chart(media: "podcasts", name: "top", type: "podcasts")
    /// The books that cost nothing.
    public static let topFreeBooks = Chart(media: "books", name: "top-free", type: "books")
    /// The books that are sold.
    public static let topPaidBooks = Chart(media: "books", name: "top-paid", type: "books")
    /// The audio books.
    public static let topAudioBooks = Chart(media: "audio-books", name: "top", type: "audio-books")
}
