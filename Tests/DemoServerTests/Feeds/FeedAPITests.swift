import Foundation
import RawClient
import TestTiers
import Testing

@Suite(.limited) struct FeedAPITests {
    private struct Answer: Decodable {
        struct Author: Decodable { let name, url: String }
        struct Result: Decodable {
            let artistName, id, name, releaseDate, kind, artworkUrl100, url: String
            let genres: [String]
        }
        struct Feed: Decodable {
            let title, id, copyright, country, icon, updated: String
            let author: Author
            let links: [[String: String]]
            let results: [Result]
        }
        let feed: Feed
    }

    private let server: RunningServer

    init() throws { server = try RunningServer() }

    @Test func `The demo server's feed of 50 apps has 50 results with the fields of Apple's RSS feed`() throws {
        let path = "/rss/api/v2/us/apps/top-free/50/apps.json"
        let response = try server.send("GET", path)
        #expect(response["Content-Type"] == "application/json; charset=utf-8")
        let feed = try response.json(Answer.self).feed
        #expect(feed.title == "Top Free Apps")
        #expect(feed.id == "http://demo.test" + path)
        #expect(feed.links == [["self": feed.id]])
        #expect(feed.country == "us")
        #expect(feed.results.count == 50)
        #expect(Set(feed.results.map(\.id)).count == 50)
        let day = DateFormatter()
        day.dateFormat = "yyyy-MM-dd"
        #expect(feed.results.allSatisfy { day.date(from: $0.releaseDate) != nil })
        #expect(feed.results[11].name == "App 12")
    }

    @Test(arguments: [
        "de/apps/top-paid/10/apps", "jp/music/most-played/100/albums", "us/podcasts/top/1/podcasts",
        "us/books/top-free/25/books", "us/audio-books/top/25/audio-books", "us/music/most-played/25/songs",
    ])
    func `The demo server's feed has as many results as the number in its path`(_ name: String) throws {
        let feed = try server.send("GET", "/rss/api/v2/\(name).json").json(Answer.self).feed
        #expect("\(feed.results.count)" == name.split(separator: "/")[3])
    }

    @Test(arguments: [
        "us/apps/top-free/0/apps.json", "us/apps/top-free/101/apps.json", "us/apps/top-free/x/apps.json",
        "us/apps/top-free/-1/apps.json", "us/apps/top-free/50/apps", "us/apps/top-free/50/apps.xml",
        "us/apps/top-free/50/songs.json", "us/apps/most-played/50/apps.json", "us/films/top/50/films.json",
        "usa/apps/top-free/50/apps.json", "US/apps/top-free/50/apps.json", "u1/apps/top-free/50/apps.json",
        "us/apps/top-free/50", "us/apps/top-free/50/apps.json/more", "us/apps/top-free/50/.json",
    ])
    func `The demo server answers a feed path that does not exist with status 404`(_ name: String) throws {
        #expect(try server.send("GET", "/rss/api/v2/\(name)").status == 404)
    }
}
