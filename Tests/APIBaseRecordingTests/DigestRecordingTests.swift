import APIBaseRecording
import Basics
import Foundation
import TestTiers
import Testing

/// Digest, whose answers differ with each call.
@Suite(.limited) struct DigestRecordingTests {
    private let folder = TemporaryFolder()

    /// Challenges requests without an answer, and counts the others.
    private func network() -> FakeNetwork {
        let count = Locked(0)
        return FakeNetwork { request in
            guard request.urlRequest.value(forHTTPHeaderField: "Authorization")?.hasPrefix("Digest ") == true else {
                let challenge = "Digest realm=\"books\", nonce=\"canary-nonce\", opaque=\"canary-opaque\", qop=\"auth\""
                return FakeNetwork.Reply(status: 401, headers: ["WWW-Authenticate": challenge])
            }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return FakeNetwork.Reply("in \(number)")
        }
    }

    private func texts(in recording: Recording) async throws -> [String] {
        let authorization = Authorization.digest(user: "reader", password: "canary-password")
        return try await recording.run {
            var texts: [String] = []
            for path in ["/things", "/things", "/others"] {
                texts.append(try await Fetch(path).with { $0.authorization = authorization }.value())
            }
            return texts
        }
    }

    @Test func `A replay of calls with Digest authentication gives the recorded responses`() async throws {
        let network = network()
        let recorded = try await texts(in: Recording(file: folder.file(), mode: .once, over: network))
        #expect(recorded == ["in 1", "in 2", "in 3"])
        #expect(network.requests.count == 4)
        let unused = self.network()
        for _ in 0..<2 {
            let replayed = try await texts(in: Recording(file: folder.file(), mode: .replay, over: unused))
            #expect(replayed == recorded)
        }
        #expect(unused.requests.isEmpty)
    }

    /// A new nonce is recorded as one, without the server saying that the last one is stale.
    @Test func `A replay succeeds when the Digest nonce changed between the recorded calls`() async throws {
        let nonce = Locked("canary 1")
        let network = FakeNetwork { request in
            let nonce = nonce.withLock { $0 }
            let answer = request.urlRequest.value(forHTTPHeaderField: "Authorization") ?? ""
            if answer.contains(nonce) { return FakeNetwork.Reply("in by \(nonce.last ?? "?")") }
            let challenge = "Digest realm=\"books\", nonce=\"\(nonce)\", algorithm=SHA-256, qop=\"auth\""
            return FakeNetwork.Reply(status: 401, headers: ["WWW-Authenticate": challenge])
        }
        for mode in [Recording.Mode.once, .replay] {
            let authorization = Authorization.digest(user: "reader", password: "canary-password")
            let recording = try Recording(file: folder.file(), mode: mode, over: network)
            let texts = try await recording.run {
                var texts: [String] = []
                for number in 1...2 {
                    nonce.withLock { $0 = "canary \(number)" }
                    texts.append(try await Fetch().with { $0.authorization = authorization }.value())
                }
                return texts
            }
            #expect(texts == ["in by 1", "in by 2"])
        }
        #expect(network.requests.count == 4)
    }

    @Test(arguments: [
        "Basic realm=\"canary\"", "Negotiate canary==", "Digest canary", "Digest nonce=\"canary\"",
        "Digest realm=\"canary\", nonce=\"canary\", opaque=\"canary\", other=\"canary\", qop=\"auth\"",
        "Digest realm=\"canary\", nonce=\"canary\", algorithm=\"\\\"canary\"",
        "Negotiate canary, Digest realm=\"a\", nonce=\"canary\", domain=\"/?token=canary\"",
    ])
    func `A recording redacts the parameters of a WWW-Authenticate challenge`(field: String) async throws {
        let network = FakeNetwork { _ in FakeNetwork.Reply(status: 401, headers: ["WWW-Authenticate": field]) }
        let recording = try Recording(file: folder.file(), mode: .once, over: network)
        _ = try await recording.run { await #expect(throws: RequestError.self) { try await Fetch().value() } }
        let text = try String(contentsOf: folder.file(), encoding: .utf8)
        #expect(text.contains("WWW-Authenticate"))
        #expect(!text.contains("canary"), "\(text)")
    }

    @Test
    func `A recording of calls with Digest authentication contains neither the password nor the nonce`() async throws {
        _ = try await texts(in: Recording(file: folder.file(), mode: .once, over: network()))
        let text = try String(contentsOf: folder.file(), encoding: .utf8)
        #expect(text.contains("/others"))
        #expect(!text.contains("canary"))
    }
}
