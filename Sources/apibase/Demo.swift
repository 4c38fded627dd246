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
        let placeholder = API.jsonPlaceholder.demoURL(at: url)
        let photos = API.unsplash.demoURL(at: url)
        let feeds = API.appleRSS.demoURL(at: url)
        var passed: [Bool] = []

        output.line("\nJSONPlaceholder")
        passed += [
            await step(UsersRequest(), at: placeholder) { "\($0.count) users" },
            await step(PostRequest(id: 1), at: placeholder) { "post \($0.id ?? 0)" },
            await step(CreatePostRequest(Post(userId: 1, title: "Hello", body: "World")), at: placeholder) {
                "created as \($0.id ?? 0)"
            },
        ]
        output.line("\nUnsplash")
        passed += [
            await step(PhotosRequest(perPage: 5, accessKey: "demo"), at: photos) { "\($0.count) photos" },
            await step(SearchPhotosRequest(query: "book at night", accessKey: "demo"), at: photos) {
                "\($0.total) found"
            },
        ]
        output.line("\nApple RSS")
        passed += [
            await step(TopFreeAppsRequest(count: 10), at: feeds) { "\($0.results.count) apps" },
            await step(FeedRequest(.mostPlayedAlbums, country: "de", count: 25), at: feeds) {
                "\($0.results.count) albums"
            },
        ]
        output.line("\nTodo API, as one chain")
        passed.append(
            await step(TodoChain(url: url, session: log)) { "created, listed, deleted: “\($0.title)”" }
        )
        return passed
    }

    private func step<Call: APIBase & Request>(
        _ request: Call,
        at url: URL,
        _ summary: (Call.ModelType) -> String
    ) async -> Bool {
        request.session = log
        request.baseURL = url
        return await step(request, summary)
    }

    /// Makes one call and reports every exchange it made, with what came of it behind the last one.
    private func step<Call: Request>(_ request: Call, _ summary: (Call.ModelType) -> String) async -> Bool {
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
        for entry in entries.dropLast() { output.line(entry.line) }
        output.line("\(last.line)   \(outcome)")
    }
}

extension ExchangeLog.Entry {
    /// Method, path, status and duration in columns.
    fileprivate var line: String {
        let milliseconds = duration / .milliseconds(1)
        let columns = [
            method.padding(toLength: 6, withPad: " ", startingAt: 0),
            path.padding(toLength: max(66, path.count), withPad: " ", startingAt: 0),
            statusCode.map(String.init) ?? "---",
            String(format: "%8.1f ms", milliseconds),
        ]
        return "  " + columns.joined(separator: " ")
    }
}
