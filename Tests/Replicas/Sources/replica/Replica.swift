import APIBaseKit
import Answers
import RedisStores

/// One replica of a service: `replica token 6379 http://127.0.0.1:8080 replica-1`. The password is in the environment.
///
/// Each line that it reads is a command, which it answers by one line of JSON.
@main struct Replica {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let port = Int(arguments[2]), let upstream = URL(string: arguments[3]) else {
            fatalError("replica <job> <port> <upstream> <name>")
        }
        var options = Redis.Options()
        options.port = port
        options.account = { [ProcessInfo.processInfo.environment["REDIS_PASSWORD"] ?? ""] }
        // A machine that runs all replicas at once is slow.
        options.deadline = .seconds(1)
        let redis = Redis(options)
        UpstreamAPI.useBaseURL(upstream)
        let job: any Job =
            switch arguments[1] {
            case "token": try TokenJob(redis, upstream, name: arguments[4])
            case "cache": try CacheJob(redis)
            default: LimitJob(redis, name: arguments[4])
            }
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            let answer = await job.answer(words[0], words.dropFirst().map { Int($0) ?? 0 })
            try answer.write()
        }
    }
}

/// What a replica does.
protocol Job: Sendable {
    /// Does what a command says, with its numbers.
    func answer(_ command: String, _ numbers: [Int]) async -> Answer
}

/// The API that all replicas call.
class UpstreamAPI: JSONAPI {}

extension Answer {
    /// Writes it as a line.
    func write() throws {
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(self) + Data("\n".utf8))
    }

    /// Counts a call.
    mutating func add(_ result: Result<String, any Error>) {
        switch result {
        case .success(let body): (done, self.body) = (done + 1, body)
        case .failure(let error): errors.append("\(error)")
        }
    }
}
