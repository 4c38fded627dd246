import Foundation
import LoopbackServer

/// Charts, as Apple's marketing feeds have them.
struct FeedRoutes: Sendable {
    func add(to router: inout Router, under prefix: String) {
        router.on("GET", "\(prefix)/api/v2/:country/:media/:chart/:count/:file") { request, parameters in
            let file = parameters["file"]
            let country = parameters["country"]
            guard file.hasSuffix(".json"), country.utf8.count == 2,
                country.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }),
                let count = parameters.number("count"), (1...100).contains(count),
                let kind = FeedKind(
                    media: parameters["media"],
                    chart: parameters["chart"],
                    type: String(file.dropLast(5))
                )
            else { throw HTTPError(404, "There is no feed at \(request.path).") }
            return .json(Self.feed(kind, country: country, count: count, url: request.absolutePath))
        }
    }

    private static func feed(_ kind: FeedKind, country: String, count: Int, url: String) -> JSONValue {
        [
            "feed": [
                "title": .string(kind.title), "id": .string(url),
                "author": ["name": "Demo Server", "url": "https://www.example.com/"],
                "links": [["self": .string(url)]], "copyright": "Made-up data, free to use.",
                "country": .string(country), "icon": "https://www.example.com/favicon.ico",
                "updated": "Mon, 1 May 2023 17:37:11 +0000",
                "results": .array((1...count).map { result(kind, country: country, rank: $0) }),
            ]
        ]
    }

    private static func result(_ kind: FeedKind, country: String, rank: Int) -> JSONValue {
        let id = String(1_500_000_000 + rank * 7_919 + kind.title.utf8.reduce(0) { $0 * 3 % 9_973 + Int($1) })
        let month = rank % 9 + 1
        let day = rank % 18 + 10
        return [
            "artistName": "Maker \(rank % 20 + 1)", "id": .string(id), "name": "\(kind.itemName) \(rank)",
            "releaseDate": "202\(rank % 4)-0\(month)-\(day)", "kind": .string(kind.kind),
            "artworkUrl100": "https://images.example.com/\(kind.kind)/\(id)/100x100bb.png", "genres": [],
            "url": "https://store.example.com/\(country)/\(kind.kind)/\(kind.itemName.lowercased())-\(rank)/id\(id)",
        ]
    }
}

/// A chart: its title, the kind of its items, and their names.
private struct FeedKind {
    let title: String
    let kind: String
    /// The name of an item, before its number.
    let itemName: String

    init?(media: String, chart: String, type: String) {
        let titles = [
            "apps/top-free/apps": "Top Free Apps", "apps/top-paid/apps": "Top Paid Apps",
            "music/most-played/songs": "Top Songs", "music/most-played/albums": "Top Albums",
            "music/most-played/music-videos": "Top Music Videos", "music/most-played/playlists": "Top Playlists",
            "podcasts/top/podcasts": "Top Shows", "podcasts/top/podcast-episodes": "Top Episodes",
            "podcasts/top-subscriber/podcast-channels": "Top Channels", "books/top-free/books": "Top Free Books",
            "books/top-paid/books": "Top Paid Books", "audio-books/top/audio-books": "Top Audiobooks",
        ]
        let names = [
            "music-videos": "Video", "podcast-episodes": "Episode", "podcast-channels": "Channel",
            "audio-books": "Audiobook",
        ]
        guard let title = titles["\(media)/\(chart)/\(type)"] else { return nil }
        (self.title, kind, itemName) = (title, type, names[type] ?? type.dropLast().capitalized)
    }
}
