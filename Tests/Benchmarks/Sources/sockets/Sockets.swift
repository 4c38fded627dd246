import APIBaseSockets
import Foundation
import Harness

/// WebSockets of the kit beside those on SwiftNIO and of Python: `sockets [ROUNDS [CLIENT]]`.
///
/// It needs 1,100 open files at a time.
@main
struct Sockets {
    static func main() async throws {
        let words = CommandLine.arguments
        guard !words.contains("server") else { return try Server.run() }
        let server = try Child(words[0], ["server"])
        defer { server.end() }
        guard let port = Int(server.line()) else { return print("The server has not started.") }
        let rounds = words.dropFirst().first.flatMap { Int($0) } ?? 7
        guard words.count <= 2 else { return try await measure(rounds: rounds, port, only: words[2]) }
        try await many(port)
        try await hold(port)
        try await measure(rounds: rounds, port, only: "")
    }

    /// A thousand sockets, each with an echo.
    private static func many(_ port: Int) async throws {
        let first = try await Kit<String>("/echo", port: port).connect()
        try await first.send(Job.text)
        for try await _ in first.messages { break }
        let (before, start) = (memory, ContinuousClock.now)
        var sockets: [APISocket<String, String>] = []
        var readers: [CallSequence<String>.AsyncIterator] = []
        for _ in 0..<1_000 {
            let socket = try await Kit<String>("/echo", port: port).connect()
            try await socket.send(Job.text)
            sockets.append(socket)
            readers.append(socket.messages.makeAsyncIterator())
        }
        for index in readers.indices {
            let text = try await readers[index].next()
            precondition(text == Job.text)
        }
        let time = (ContinuousClock.now - start) / .seconds(1)
        print("1,000 sockets, each with an echo, in \(fixed(time, digits: 2)) s: \(status("Threads")) threads,")
        print("\(fixed((memory - before) / 1_000, digits: 1)) KB of memory for each")
    }

    /// The bytes that leave the server for a program that does not read.
    private static func hold(_ port: Int) async throws {
        let before = memory
        let socket = try await Kit<String>("/hold", port: port).connect()
        var taken = ""
        for _ in 0..<3 {
            try await Task.sleep(for: .seconds(1))
            for try await bytes in try await Kit<String>("/taken", port: port).connect().messages {
                taken += " \(bytes)"
                break
            }
        }
        print("A program that does not read: after 1, 2 and 3 s the server has written bytes:\(taken)")
        print("and the memory of the program has grown by \(Int(memory - before)) KB")
        withExtendedLifetime(socket) {}
    }

    private static func measure(rounds: Int, _ port: Int, only name: String) async throws {
        let event = try JSONDecoder().decode(Event.self, from: Data(Job.text.utf8))
        let jobs = [
            Job("the kit, `String`") { try await Kit<String>.receive(port: $0) },
            Job("the kit, `SocketMessage`") { try await Kit<SocketMessage>.receive(port: $0) },
            Job("the kit, JSON") { try await Kit<Event>.receive(port: $0) },
            Job("NIO, `NIOAsyncChannel`") { try await NIOClient.receive(port: $0) },
            Job("NIO, a handler") { try await NIOClient.receiveByHandler(port: $0) },
            Job(pythonSending: false),
            Job("the kit, `String`", isSending: true) { try await Kit<String>.send(Job.text, port: $0) },
            Job("the kit, `SocketMessage`", isSending: true) {
                try await Kit<SocketMessage>.send(.text(Job.text), port: $0)
            },
            Job("the kit, JSON", isSending: true) { try await Kit<Event>.send(event, port: $0) },
            Job("NIO, `NIOAsyncChannel`", isSending: true) { try await NIOClient.send(port: $0) },
            Job("NIO, a handler, without back pressure", isSending: true) {
                try await NIOClient.sendByHandler(port: $0)
            },
            Job(pythonSending: true),
        ]
        var costs: [[Job.Cost]] = jobs.map { _ in [] }
        for round in 0...rounds {
            for (index, job) in jobs.enumerated() where name.isEmpty || job.client.contains(name) {
                FileHandle.standardError.write(Data("round \(round), \(job.client)\n".utf8))
                // The first round warms up.
                if let cost = try await job.run(port), round > 0 { costs[index].append(cost) }
            }
        }
        print("\n| direction | client | messages/s | CPU µs each | rate ÷ `String` | CPU ÷ `String` |")
        print("|---|---|---:|---:|---:|---:|")
        for (job, own) in zip(jobs, costs) {
            let ours = costs[job.isSending ? jobs.count / 2 : 0]
            let cells = [
                spread(own.map(\.rate), digits: 0),
                spread(own.map(\.processor), digits: 2),
                spread(zip(own, ours).map { $0.rate / $1.rate }, digits: 2),
                spread(zip(own, ours).map { $0.processor / $1.processor }, digits: 2),
            ]
            print("| \(job.isSending ? "sending" : "receiving") | \(job.client) | \(cells.joined(separator: " | ")) |")
        }
    }

    private static func spread(_ sample: [Double], digits: Int) -> String {
        guard !sample.isEmpty else { return "not there" }
        let quartiles = Quartiles(sample)
        let texts = [quartiles.median, quartiles.lower, quartiles.upper].map { value in
            digits == 0 ? "\(Int(value.rounded()))" : fixed(value, digits: digits)
        }
        return "**\(texts[0])** (\(texts[1])–\(texts[2]))"
    }

    /// The resident memory, in KB; 0 where the system has no `/proc`.
    private static var memory: Double { Double(status("VmRSS")) }

    private static func status(_ name: String) -> Int {
        let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
        let words = lines.first { $0.hasPrefix(name + ":") }?.split(whereSeparator: \.isWhitespace) ?? []
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }
}
