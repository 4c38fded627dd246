import APIBaseContract
import AppleRSS
import DemoServer
import TestTiers
import Testing

@Suite(.document("openapi.json"), .limited) struct FeedRequestsTests {
    @Test func `Every chart of the Apple RSS API is read with the requested country and count`() async throws {
        let server = DemoAPIServer()
        let base = try server.start().appendingPathComponent("rss/api/v2")
        defer { server.stop() }
        let charts: [Chart] = [
            .topFreeApps, .topPaidApps, .mostPlayedAlbums, .mostPlayedSongs, .topPodcasts, .topFreeBooks,
            .topPaidBooks, .topAudioBooks,
        ]
        for chart in charts {
            let request = FeedRequest(chart, country: "de", count: 25)
            request.baseURL = base
            let feed = try await request.value()
            #expect(feed.country == "de")
            #expect(feed.results.count == 25)
        }
        let apps = TopFreeAppsRequest(count: 10)
        apps.baseURL = base
        #expect(try await apps.value().results.count == 10)
    }

    @Test(.stubs { $0.on(.get, "/api/v2/us/apps/nothing/50/apps.json").answer(.status(404)) })
    func `An Apple RSS chart that does not exist fails with httpFailure of status 404`() async {
        await #expect {
            try await FeedRequest(Chart(media: "apps", name: "nothing", type: "apps")).value()
        } throws: { error in
            if case RequestError.httpFailure(404) = error { true } else { false }
        }
    }

    @Test func `TopFreeAppsRequest without arguments has Apple's URL for the top 50 apps of the US`() throws {
        #expect(
            try TopFreeAppsRequest().buildURLRequest().url?.absoluteString
                == "https://rss.applemarketingtools.com/api/v2/us/apps/top-free/50/apps.json"
        )
    }

    @Test func `An Apple RSS request for a country with dot segments fails to build with a RequestError`() {
        #expect(throws: RequestError.self) { try TopFreeAppsRequest(country: "../..").buildURLRequest() }
    }

    @Test(.stubs { $0.on(TopFreeAppsRequest.self).answer(.json(sample)) })
    func `The sample feed of Apple RSS decodes with its title, author, links and results`() async throws {
        let feed = try await TopFreeAppsRequest().value()
        #expect(feed.title == "Top Free Apps")
        #expect(feed.author.name == "Apple")
        #expect(feed.links.first?["self"]?.hasSuffix("apps.json") == true)
        #expect(feed.updated == "Mon, 1 May 2023 17:37:11 +0000")
        #expect(feed.results.map(\.id) == ["1641486558", "1500855883"])
        #expect(feed.results.first?.releaseDate == "2022-08-31")
        #expect(feed.results.allSatisfy { $0.genres?.isEmpty == true && $0.kind == "apps" })
    }
}
