import APIBaseRecording
import Foundation
import TestTiers
import Testing

/// Bodies in content codings, which hide secrets from a search.
@Suite(.limited) struct CodedBodyTests {
    private static let canary = "c4n4ry-c4n4ry-9f8e7d"

    /// `{"password":"…","note":"…"}` in several codings.
    private static let (zlib, bare, gzip, both) = (
        "eJyrVipILC4uzy9KUbJSSjbJMymq1IVSlmkWqeYpSjpKefklqbhkawG/BxTE",
        "q1YqSCwuLs8vSlGyUko2yTMpqtSFUpZpFqnmKUo6Snn5Jam4ZGsB",
        "H4sIAAAAAAACA6tWKkgsLi7PL0pRslJKNskzKarUhVKWaRap5ilKOkp5+SWpuGRrAXzuxgFBAAAA",
        "H4sIAAAAAAACAwEtANL/eJyrVipILC4uzy9KUbJSSjbJMymq1IVSlmkWqeYpSjpKefklqbhkawG/BxTEC4QFOi0AAAA="
    )
    /// Bytes that only look like those of `br` and `zstd`.
    private static let (brotli, zstd) = ("iyCAeyJwYXNzd29yZCI6IsM=", "KLUv/SRAAQIDBAU=")
    private static let plain = Data(#"{"password":"\(canary)"}"#.utf8).base64EncodedString()

    private let folder = TemporaryFolder()

    struct Case: Sendable, CustomTestStringConvertible {
        let coding: String
        let body: String
        /// Whether the body is recorded, without its secrets.
        var isKept = false
        var testDescription: String { "\(coding), \(body.prefix(8))" }
    }

    static let requests = [
        Case(coding: "gzip", body: gzip, isKept: true), Case(coding: "GZIP", body: gzip, isKept: true),
        Case(coding: "x-gzip", body: gzip, isKept: true), Case(coding: "gzip, identity", body: gzip, isKept: true),
        Case(coding: "deflate", body: zlib, isKept: true), Case(coding: "Deflate", body: bare, isKept: true),
        Case(coding: "deflate, gzip", body: both, isKept: true), Case(coding: "identity", body: plain, isKept: true),
        Case(coding: "aws-chunked", body: plain, isKept: true), Case(coding: "", body: plain, isKept: true),
        Case(coding: "gzip, deflate", body: both), Case(coding: "gzip", body: zlib), Case(coding: "br", body: brotli),
        Case(coding: "zstd", body: zstd), Case(coding: "compress", body: brotli), Case(coding: "deflate", body: zstd),
        Case(coding: "base64", body: Data(plain.utf8).base64EncodedString()), Case(coding: "gzip, br", body: gzip),
        Case(coding: "aes128gcm", body: brotli), Case(coding: "unknown", body: plain),
    ]

    /// A network's response, whose engine decodes `gzip`, `deflate`, `br` and `zstd`, and keeps the header.
    static let responses = [
        Case(coding: "gzip", body: plain, isKept: true), Case(coding: "BR", body: plain, isKept: true),
        Case(coding: "deflate, gzip", body: plain, isKept: true), Case(coding: "identity", body: plain, isKept: true),
        Case(coding: "gzip", body: gzip), Case(coding: "GZIP, identity", body: gzip),
        Case(coding: "deflate", body: zlib), Case(coding: "deflate", body: bare), Case(coding: "br", body: brotli),
        Case(coding: "zstd", body: zstd), Case(coding: "compress", body: brotli),
        Case(coding: "base64", body: Data(plain.utf8).base64EncodedString()),
    ]

    private func expect(_ text: String, keeps isKept: Bool, of part: String) {
        #expect(!text.contains(Self.canary) && !text.contains("password\\\":\\\"c4"), "\(text)")
        for body in text.matches(of: /"text" : "([A-Za-z0-9+\/=]{8,})"/) {
            Issue.record("The body \(body.1) is recorded.")
        }
        #expect(text.contains("REDACTED") == isKept)
        #expect(text.contains("The coded body of the \(part) is left out.") != isKept, "\(text)")
    }

    @Test(arguments: requests)
    func `A recording decodes a request body in gzip and deflate, and leaves one in another coding out with a comment`(
        _ coded: Case
    ) async throws {
        let call = Fetch("/x", .post)
        call.headers["Content-Encoding"] = coded.coding
        call.headers["Content-Type"] = "application/json"
        call.body = Data(base64Encoded: coded.body)
        let recording = try Recording(file: folder.file(), over: FakeNetwork("ok"))
        _ = try await recording.run { try await call.value() }
        expect(try String(contentsOf: folder.file(), encoding: .utf8), keeps: coded.isKept, of: "request")
        // The same request finds its entry.
        let replay = try Recording(file: folder.file(), mode: .replay, matching: [.method, .path, .body])
        #expect(try await replay.run { try await call.value() } == "ok")
    }

    @Test(arguments: responses)
    func `A recording keeps a decoded response body, and leaves one that may still be coded out with a comment`(
        _ coded: Case
    ) async throws {
        let recording = try Recording(
            file: folder.file(),
            over: FakeNetwork { _ throws(TransportError) in
                var reply = FakeNetwork.Reply(headers: ["Content-Type": "application/json"])
                reply.headers["Content-Encoding"] = coded.coding
                reply.body = Data(base64Encoded: coded.body) ?? Data()
                return reply
            }
        )
        _ = try await recording.run { try await Fetch("/x").value() }
        expect(try String(contentsOf: folder.file(), encoding: .utf8), keeps: coded.isKept, of: "response")
        let replay = try Recording(file: folder.file(), mode: .replay)
        if coded.isKept {
            #expect(try await replay.run { try await Fetch("/x").value() }.contains("REDACTED"))
        } else {
            await #expect(throws: RecordingError.self) { try await replay.run { try await Fetch("/x").value() } }
        }
    }
}
