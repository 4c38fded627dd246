/// The response of the service, which wraps the feed.
public struct FeedResponse: Codable, Hashable, Sendable {
    /// The feed.
    public var feed: Feed
}

/// A chart of one store.
public struct Feed: Codable, Hashable, Sendable {
    /// The name of the chart.
    public var title: String
    /// The URL of the feed.
    public var id: String
    /// The author of the feed.
    public var author: Author
    /// The URLs of the feed by relation, such as `self`.
    public var links: [[String: String]]
    /// The copyright notice.
    public var copyright: String
    /// The two-letter code of the country.
    public var country: String
    /// The URL of an icon.
    public var icon: String
    /// The date of the feed, in the format of e-mail (RFC 5322, section 3.3).
    public var updated: String
    /// The items of the chart, the most popular first.
    public var results: [FeedItem]
}

/// The author of a feed.
public struct Author: Codable, Hashable, Sendable {
    /// The name.
    public var name: String
    /// The URL of the web site.
    public var url: String
}

/// An item of a chart: an app, an album, a podcast, a book.
public struct FeedItem: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the item in the store.
    public var id: String
    /// The artist or developer.
    public var artistName: String
    /// The name of the item.
    public var name: String
    /// The release date, as `yyyy-MM-dd`. Some kinds of items have none.
    public var releaseDate: String?
    /// The kind of item, such as `apps`.
    public var kind: String?
    /// The URL of an image, 100 pixels wide.
    public var artworkUrl100: String
    /// The genres of the item. Empty for apps.
    public var genres: [Genre]?
    /// The URL of the item in the store.
    public var url: String
}

/// A genre of items.
public struct Genre: Codable, Hashable, Sendable {
    /// The ID of the genre.
    public var genreId: String
    /// The name of the genre.
    public var name: String
    /// The URL of the genre in the store.
    public var url: String?
}

/// A chart of the service: the kind of media, the name of the chart, and the kind of items.
public struct Chart: Hashable, Sendable {
    /// The kind of media, such as `apps`.
    public var media: String
    /// The name of the chart, such as `top-free`.
    public var name: String
    /// The kind of items, such as `apps`.
    public var type: String

    /// Creates a chart that has no constant below.
    public init(media: String, name: String, type: String) {
        self.media = media
        self.name = name
        self.type = type
    }

    /// The top free apps.
    public static let topFreeApps = Chart(media: "apps", name: "top-free", type: "apps")
    /// The top paid apps.
    public static let topPaidApps = Chart(media: "apps", name: "top-paid", type: "apps")
    /// The most played albums.
    public static let mostPlayedAlbums = Chart(media: "music", name: "most-played", type: "albums")
    /// The most played songs.
    public static let mostPlayedSongs = Chart(media: "music", name: "most-played", type: "songs")
    /// The top podcasts.
    public static let topPodcasts = Chart(media: "podcasts", name: "top", type: "podcasts")
    /// The top free books.
    public static let topFreeBooks = Chart(media: "books", name: "top-free", type: "books")
    /// The top paid books.
    public static let topPaidBooks = Chart(media: "books", name: "top-paid", type: "books")
    /// The top audio books.
    public static let topAudioBooks = Chart(media: "audio-books", name: "top", type: "audio-books")
}
