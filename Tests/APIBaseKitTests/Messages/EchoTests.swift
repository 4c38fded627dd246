import APIBaseKit
import APIBaseStubs
import HostileServer
import TestTiers
import Testing

/// Texts of a server that are kept and sent back in the headers of later requests.
@Suite(.limited) struct EchoTests {
    private final class Leaf: JSONAPI, Request {
        typealias ModelType = Int

        override init() { super.init(.get("http://api.example/x")) }
    }

    /// A strong tag of so many bytes.
    private static func tag(_ count: Int) -> String { "\"\(String(repeating: "x", count: count - 2))\"" }

    @Test(arguments: [(4_096, true), (4_097, false), (60_000, false)])
    func `A cache asks for a stored response by its ETag only if that has at most 4,096 bytes`(
        count: Int,
        isSent: Bool
    ) async throws {
        let stubs = Stubs()
        let headers = ["ETag": Self.tag(count), "Cache-Control": "no-cache"]
        stubs.on().answer { call in
            call.headers["If-None-Match"] == nil ? .json("1", headers: HTTPHeaders(headers)) : .status(304)
        }
        let call = Leaf()
        call.cache = ResponseCache()
        let values = try await stubs.run { [try await call.value(), try await call.value()] }
        #expect(values == [1, 1])
        #expect(stubs.calls.map { $0.headers["If-None-Match"] } == [nil, isSent ? Self.tag(count) : nil])
    }

    @Test(arguments: [(4_096, true), (4_097, false), (60_000, false)])
    func `A broken download can be resumed by its ETag only if that has at most 4,096 bytes`(
        count: Int,
        isSent: Bool
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("echo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("file")
        let stubs = Stubs()
        let whole = StubAnswer.status(200, headers: ["ETag": Self.tag(count)], data: Data("abcd".utf8))
        stubs.on().answer(inOrder: whole.broken(off: .afterBytes(2)), whole)
        await #expect(throws: (any Error).self) {
            try await stubs.run { _ = try await Leaf().downloaded(to: file) }
        }
        try await stubs.run { _ = try await Leaf().downloaded(to: file) }
        #expect(stubs.calls.map { $0.headers["If-Range"] } == [nil, isSent ? Self.tag(count) : nil])
        #expect(try Data(contentsOf: file) == Data("abcd".utf8))
    }
}
