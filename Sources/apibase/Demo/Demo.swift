import APIBaseKit
import AppleRSS
import DemoServer
import JSONPlaceholder
import TodoDemo
import Unsplash

/// The main job: a demo server on a free port, requests of every API to it, and a report.
struct Demo {
    let output: Output
    private let recording: RecordingFile.Opened?
    private let log: ExchangeLog

    init(output: Output, recording: RecordingFile.Opened? = nil) {
        self.output = output
        self.recording = recording
        log = ExchangeLog(recording?.recording ?? DefaultSession.shared)
    }

    /// - Returns: Whether every request was answered as it should be.
    /// - Throws: Why the server cannot be started.
    func run() async throws -> Bool {
        if let recording, recording.isReplay {
            output.line("\(recording.name) answers, and no server")
            return await run(at: Target.absentServer)
        }
        let server = DemoAPIServer()
        let url = try server.start()
        defer { server.stop() }
        output.line("The demo server answers on \(url.absoluteString)")
        guard await run(at: url) else { return false }
        let connections = server.acceptedConnections
        output.line("All of it over \(connections) connection\(connections == 1 ? "" : "s").")
        output.line("Go on with apibase photos --show, apibase get URL, or apibase --help.")
        return true
    }

    /// Makes the requests to the server at this URL, and reports them.
    func run(at url: URL) async -> Bool {
        let passed = await steps(at: url)
        let failures = passed.count { !$0 }
        guard failures == 0 else {
            output.error("apibase: \(failures) of \(passed.count) calls failed.")
            return false
        }
        output.line("\nEvery call went as it should.")
        return true
    }

    private func steps(at url: URL) async -> [Bool] {
        await steps("JSONPlaceholder", .jsonPlaceholder, at: url) {
            [
                await step(UsersRequest()) { "\($0.count) users" },
                await step(PostRequest(id: 1)) { "post \($0.id ?? 0)" },
                await step(CreatePostRequest(Post(userId: 1, title: "Hello", body: "World"))) {
                    "created as \($0.id ?? 0)"
                },
            ]
        }
            + steps("Unsplash", .unsplash, at: url) { await photos() }
            + steps("Apple RSS", .appleRSS, at: url) {
                [
                    await step(TopFreeAppsRequest(count: 10)) { "\($0.results.count) apps" },
                    await step(FeedRequest(.mostPlayedAlbums, country: "de", count: 25)) {
                        "\($0.results.count) albums"
                    },
                ]
            }
            + steps("Todo API, as one chain", .todoDemo, at: url) {
                [await report(TodoChain(session: log)) { "created, listed, deleted: “\($0.title)”" }]
            }
    }

    /// The steps of Unsplash, and on a terminal with colours what the photos look like.
    private func photos() async -> [Bool] {
        var photos: [Unsplash.Photo] = []
        let list = await step(PhotosRequest(perPage: 5, accessKey: "demo")) {
            photos = $0
            return "\($0.count) photos"
        }
        let search = await step(SearchPhotosRequest(query: "book at night", accessKey: "demo")) { "\($0.total) found" }
        if output.out.style.hasColours {
            let pictures = photos.prefix(4).compactMap { $0.picture(width: 16, height: 10)?.lines }
            for row in pictures.first?.indices ?? 0..<0 {
                output.line("  " + pictures.map { $0[row] }.joined(separator: " "))
            }
        }
        return [list, search]
    }

    /// The calls of one API, all to where the server has it.
    private func steps(_ title: String, _ api: API, at url: URL, _ calls: () async -> [Bool]) async -> [Bool] {
        output.line("\n\(title)")
        return await api.base.withBaseURL(api.demoURL(at: url)) { await calls() }
    }

    private func step<Call: APIBase & Request>(_ request: Call, _ summary: (Call.ModelType) -> String) async -> Bool {
        request.session = log
        return await report(request, summary)
    }

    /// Makes one call and reports every exchange it made, with what came of it behind the last one.
    private func report<Call: Request>(_ request: Call, _ summary: (Call.ModelType) -> String) async -> Bool {
        do {
            let value = try await request.value()
            report(summary(value))
            return true
        } catch {
            report("FAILED: \(describe(error))")
            return false
        }
    }

    private func report(_ outcome: String) {
        let entries = log.take()
        guard let last = entries.last else { return output.line("  \(outcome)") }
        for entry in entries.dropLast() { output.line(entry.line(for: output.out)) }
        output.line("\(last.line(for: output.out))   \(outcome)")
    }
}
