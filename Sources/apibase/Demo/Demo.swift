import APIBaseKit
import APIBaseRecording
import AppleRSS
import DemoServer
import JSONPlaceholder
import TodoDemo
import Unsplash

struct DemoJob: Job {
    func run(_ context: Context) async throws -> Int32 {
        let isSuccess = try await Demo(context).run()
        return isSuccess ? ExitCode.success : ExitCode.failed
    }
}

extension Command {
    static let demo = Command(
        name: "demo",
        summary: "start a demo server, call four APIs on it, and print a report; the default command",
        options: [.record, .replay, .inspect]
    ) { _ in DemoJob() }
}

/// Starts a demo server on a free port, calls every API on it, and prints a report.
struct Demo {
    private let context: Context
    private let output: Output
    private let log: ExchangeLog

    init(_ context: Context) {
        self.context = context
        output = context.output
        log = ExchangeLog(context.recording ?? DefaultSession.shared)
    }

    func run() async throws -> Bool {
        if let recording = context.recording, context.isReplay {
            output.line("\(recording.file.lastPathComponent) answers instead of a server")
            return await run(at: Target.placeholder)
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

    private func photos() async -> [Bool] {
        var photos: [Unsplash.Photo] = []
        let list = await step(PhotosRequest(perPage: 5, accessKey: "demo")) {
            photos = $0
            return "\($0.count) photos"
        }
        let search = await step(SearchPhotosRequest(query: "book at night", accessKey: "demo")) { "\($0.total) found" }
        if output.out.style.hasColors {
            let pictures = photos.prefix(4).compactMap { $0.picture(width: 16, height: 10)?.lines }
            for row in pictures.first?.indices ?? 0..<0 {
                output.line("  " + pictures.map { $0[row] }.joined(separator: " "))
            }
        }
        return [list, search]
    }

    private func steps(_ title: String, _ api: API, at url: URL, _ calls: () async -> [Bool]) async -> [Bool] {
        output.line("\n\(title)")
        return await api.base.withBaseURL(api.demoURL(at: url)) { await calls() }
    }

    private func step<Call: APIBase & Request>(_ request: Call, _ summary: (Call.ModelType) -> String) async -> Bool {
        request.session = log
        return await report(request, summary)
    }

    /// Makes a call, and prints a line for each of its exchanges, the last one with the outcome of the call.
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

/// Creates an account, logs in, and creates, lists and deletes a todo: five requests in one chain.
private struct TodoChain: Request {
    let session: any HTTPSession

    func start() -> AnyPublisher<TodoDemo.Todo, any Error> {
        let account = NewUser(name: "Demo", email: "demo@example.com", password: "password123")
        let todo = TodoDemo.Todo(title: "Learn APIBaseKit")
        return observed(TodoDemo.CreateUserRequest(account)).start()
            .flatMap { user in
                observed(LoginRequest(email: user.email, password: account.password)).start()
            }
            .flatMap { token in
                observed(TodoDemo.CreateTodoRequest(todo, token: token)).start().map { todo in (token, todo) }
            }
            .flatMap { token, todo in
                observed(TodoDemo.TodosRequest(token: token)).start().tryMap { todos in
                    guard todos.contains(todo), let id = todo.id else { throw MissingTodo() }
                    return (token, id)
                }
            }
            .flatMap { token, id in
                observed(TodoDemo.DeleteTodoRequest(id: id, token: token)).start().map { todo }
            }
            .eraseToAnyPublisher()
    }

    private func observed<Call: TodoDemoAPI>(_ request: Call) -> Call {
        request.session = session
        return request
    }

    private struct MissingTodo: LocalizedError {
        let errorDescription: String? = "The new todo is not in the list."
    }
}
