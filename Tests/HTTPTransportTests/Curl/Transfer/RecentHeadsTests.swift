#if os(Linux)
import Foundation
import FoundationNetworking
import Testing

@testable import HTTPTransport

/// Which heads are taken for those that came before.
@Suite struct RecentHeadsTests {
    private let url = URL(string: "http://h/") ?? URL(fileURLWithPath: "/")

    private func block(_ text: String) -> FieldBlock {
        Array(text.utf8).withUnsafeBufferPointer { FieldBlock($0) }
    }

    private func head(_ text: String, _ status: Int = 200, _ version: String = "HTTP/1.1") throws -> ResponseHead {
        let block = block(text)
        return ResponseHead(
            statusCode: status,
            block: block,
            framing: try block.framing(),
            url: url,
            httpVersion: version
        )
    }

    private func keep(_ head: ResponseHead, _ text: String, in heads: inout RecentHeads) {
        Array(text.utf8).withUnsafeBufferPointer { heads.keep(head, of: $0, from: "http://h/") }
    }

    private func find(
        _ heads: RecentHeads,
        _ text: String,
        _ status: Int = 200,
        _ version: String = "HTTP/1.1",
        _ url: String = "http://h/"
    ) -> HTTPURLResponse? {
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            heads.head(of: bytes, statusCode: status, httpVersion: version, from: url)?.httpURLResponse
        }
    }

    @Test func onlyTheSameBytesFromTheSameURLAreTheSame() throws {
        var heads = RecentHeads()
        let head = try head("A: b\r\n")
        keep(head, "A: b\r\n", in: &heads)
        #expect(find(heads, "A: b\r\n") === head.httpURLResponse)
        #expect(find(heads, "A: B\r\n") == nil)
        #expect(find(heads, "a: b\r\n") == nil)
        #expect(find(heads, "A: b\r\n", 201) == nil)
        #expect(find(heads, "A: b\r\n", 200, "HTTP/2") == nil)
        #expect(find(heads, "A: b\r\n", 200, "HTTP/1.1", "http://h/?") == nil)
    }

    @Test func theOldestMakesRoom() throws {
        var heads = RecentHeads()
        for number in 0..<9 {
            keep(try head("A: \(number)\r\n"), "A: \(number)\r\n", in: &heads)
        }
        #expect((0..<9).map { find(heads, "A: \($0)\r\n") != nil } == [false] + Array(repeating: true, count: 8))
    }

    @Test func largeOnesAreNotKept() throws {
        var heads = RecentHeads()
        let text = "A: " + String(repeating: "b", count: 3_000) + "\r\n"
        keep(try head(text), text, in: &heads)
        #expect(find(heads, text) == nil)
    }
}
#endif
