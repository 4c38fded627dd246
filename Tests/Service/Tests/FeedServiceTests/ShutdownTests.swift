#if os(Linux)
import Testing
import Upstream

@Suite(.timeLimit(.minutes(1))) struct ShutdownTests {
    /// On SIGTERM, the service takes nothing more, answers all that it has been asked, and ends.
    @Test func `The feed service answers all requests in flight after SIGTERM and then exits with 0`() async throws {
        let upstream = Upstream()
        try await upstream.run { port in
            let service = try await ServiceProcess(upstream: port)
            await upstream.gate.close()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await service.status(of: "/feed") } }
                while await upstream.gate.count < 20 { try await Task.sleep(for: .milliseconds(5)) }
                service.stop()
                while (try? await service.status(of: "/health")) != nil { try await Task.sleep(for: .milliseconds(5)) }
                await upstream.gate.open()
                let statuses = try await group.reduce(into: []) { $0.append($1) }
                #expect(statuses == Array(repeating: 200, count: 20))
            }
            #expect(await service.end() == 0)
        }
    }
}
#endif
