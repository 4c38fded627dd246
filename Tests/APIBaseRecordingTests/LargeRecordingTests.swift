import APIBaseRecording
import Foundation
import TestTiers
import Testing

/// Many calls, each with a token, all with the same beginning. The article “Measurements” has the times.
@Suite(.limited) struct LargeRecordingTests {
    private let folder = TemporaryFolder()

    private func call(_ number: Int) -> Fetch {
        Fetch("/things/\(number)").with {
            // Real tokens often have the same beginning.
            $0.headers["Authorization"] = "Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.\(number * 7_919_001)"
            $0.queryItems = [URLQueryItem(name: "key", value: "key-\(number * 104_729)")]
        }
    }

    @Test
    func `A replay of many calls with similar, redacted tokens gives each call its recorded response`() async throws {
        let count = load(300)
        let network = FakeNetwork { request in
            .init((request.urlRequest.value(forHTTPHeaderField: "Authorization") ?? "") + " of \(request.urlRequest)")
        }
        let recording = try Recording(file: folder.file(), over: network)
        try await recording.run { for number in 0..<count { _ = try await call(number).value() } }
        let replay = try Recording(file: folder.file(), mode: .replay)
        try await replay.run {
            for number in (0..<count).reversed() {
                let text = try await call(number).value()
                #expect(text == "Bearer REDACTED of http://api.example/things/\(number)?key=REDACTED")
            }
        }
    }
}
