#if os(Linux)
import Foundation
import Testing
import Upstream

@Suite(
    .enabled(if: ProcessInfo.processInfo.environment["APIBASE_ALL_TESTS"] == "1", "It asks for thousands of feeds."),
    .timeLimit(.minutes(5))
)
struct LeakTests {
    /// What a process holds.
    private struct Holdings: CustomStringConvertible {
        let descriptors: Int
        let threads: Int
        let kilobytes: Int

        init(of process: Int32) throws {
            descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
            threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").count
            let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            let memory = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            kilobytes = try #require(memory.flatMap { Int($0.filter(\.isNumber)) })
        }

        var description: String { "\(descriptors) descriptors, \(threads) threads, \(kilobytes / 1_024) MiB" }
    }

    /// 2,000 requests, 32 at a time; or for as many seconds as the variable SERVICE_SECONDS says.
    @Test
    func `The feed service leaks no file descriptors, threads or memory over thousands of requests`() async throws {
        let seconds = ProcessInfo.processInfo.environment["SERVICE_SECONDS"].flatMap { Double($0) }
        try await Upstream().run { port in
            let service = try await ServiceProcess(upstream: port)
            try await ask(service, 500)
            let early = try Holdings(of: service.id)
            var count = 500
            let end = Date() + (seconds ?? 0)
            repeat {
                try await ask(service, 1_500)
                count += 1_500
            } while Date() < end
            let late = try Holdings(of: service.id)
            print("After 500 requests: \(early). After \(count): \(late).")
            // How many connections and threads there are at a time depends on the machine; a leak has hundreds.
            #expect(late.descriptors <= early.descriptors + 100)
            #expect(late.threads <= early.threads + 50)
            #expect(late.kilobytes <= early.kilobytes + 64 << 10)
            service.stop()
            #expect(await service.end() == 0)
        }
    }

    private func ask(_ service: ServiceProcess, _ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= 32 { try await group.next() }
                group.addTask {
                    let status = try await service.status(of: "/feed")
                    #expect(status == 200)
                }
            }
            try await group.waitForAll()
        }
    }
}
#endif
