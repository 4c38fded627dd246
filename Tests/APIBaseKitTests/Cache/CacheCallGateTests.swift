import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// What a gate learns from calls that a cache answers.
@Suite(.tags(.concurrent), .limited) struct CacheCallGateTests {
    /// A circuit that opens after two failures in a row. `fresh` is a call that a stored reply answers, `304`, `503`
    /// and `lost` are what becomes of the question whether another still holds, `500` is a call that nothing is stored
    /// for, `no` one that is refused.
    @Test(arguments: [
        "500 fresh 500 no", "503 503 no", "lost lost no", "500 503 no", "lost 500 no", "503 304 503 304 lost 304 500",
        "500 fresh 304 500 fresh 503 no",
    ])
    func `A circuit breaker counts the results of cache validations, but not calls answered as fresh`(script: String)
        async throws
    {
        let stubs = Stubs(clock: .manual(movedWithin: nil))
        let answer = Locked(StubAnswer.text("1", headers: ["Cache-Control": "max-age=60"]))
        stubs.on().answer { _ in answer.withLock { $0 } }
        let (cache, gate) = (ResponseCache(), CallGate(opensAfter: 2, restsFor: .seconds(1_000)))
        func isRefused(_ path: String) async throws -> Bool {
            let call = CachedCall(.get, cache)
            (call.path, call.gate) = (path, gate)
            do { _ = try await call.value() } catch RequestError.circuitOpen {
                return true
            } catch RequestError.httpFailure(500) {}
            return false
        }
        try await stubs.run {
            _ = try await isRefused("/fresh")
            let headers: HTTPHeaders = ["Cache-Control": "max-age=0, stale-if-error=60", "ETag": "\"a\""]
            answer.withLock { $0 = .text("1", headers: headers) }
            _ = try await isRefused("/stale")
            for step in script.split(separator: " ") {
                let next = Int(step).map { StubAnswer.status($0) } ?? .error(URLError(.networkConnectionLost))
                answer.withLock { $0 = next }
                let path = step == "fresh" ? "/fresh" : step == "500" || step == "no" ? "/other" : "/stale"
                #expect(try await isRefused(path) == (step == "no"), "\(step)")
            }
        }
    }

    /// Each ends where it began, and lets the next one pass.
    @Test
    func `Two thousand queued calls that the cache answers pass a CallGate without a stack overflow`() async throws {
        let clock = StubClock.manual(movedWithin: nil)
        let stubs = Stubs(clock: clock)
        stubs.on().answer(
            inOrder: .text("1", headers: ["Cache-Control": "max-age=60"]),
            .text("2").delayed(by: .seconds(1))
        )
        let (cache, gate) = (ResponseCache(), CallGate(concurrent: 1))
        func call(_ path: String) -> WatchedCall {
            let call = WatchedCall(gate: gate)
            (call.cache, call.path) = (cache, path)
            return call
        }
        _ = try await stubs.run { try await call("/x").value() }
        let first = await stubs.runUnchecked { Calls([call("/y")]) }
        #expect(try await holds { clock.nextWait == .seconds(1) })
        let others = await stubs.runUnchecked { Calls((0..<2_000).map { _ in call("/x") }) }
        clock.advance(by: .seconds(1))
        #expect(try await holds { first.ended == 1 && others.ended == 2_000 })
        #expect(stubs.calls.count == 2)
    }
}
