/// A chart there is a feed of: what it holds, and what its results are called.
struct FeedKind: Equatable, Sendable {
    let title: String
    let kind: String
    /// The name of a result, before its number.
    let itemName: String

    /// Nil where there is no such chart.
    init?(media: String, chart: String, type: String) {
        switch (media, chart, type) {
        case ("apps", "top-free", "apps"): self.init("Top Free Apps", "apps", "App")
        case ("apps", "top-paid", "apps"): self.init("Top Paid Apps", "apps", "App")
        case ("music", "most-played", "songs"): self.init("Top Songs", "songs", "Song")
        case ("music", "most-played", "albums"): self.init("Top Albums", "albums", "Album")
        case ("music", "most-played", "music-videos"): self.init("Top Music Videos", "music-videos", "Video")
        case ("music", "most-played", "playlists"): self.init("Top Playlists", "playlists", "Playlist")
        case ("podcasts", "top", "podcasts"): self.init("Top Shows", "podcasts", "Podcast")
        case ("podcasts", "top", "podcast-episodes"): self.init("Top Episodes", "podcast-episodes", "Episode")
        case ("podcasts", "top-subscriber", "podcast-channels"):
            self.init("Top Channels", "podcast-channels", "Channel")
        case ("books", "top-free", "books"): self.init("Top Free Books", "books", "Book")
        case ("books", "top-paid", "books"): self.init("Top Paid Books", "books", "Book")
        case ("audio-books", "top", "audio-books"): self.init("Top Audiobooks", "audio-books", "Audiobook")
        default: return nil
        }
    }

    private init(_ title: String, _ kind: String, _ itemName: String) {
        self.title = title
        self.kind = kind
        self.itemName = itemName
    }
}
