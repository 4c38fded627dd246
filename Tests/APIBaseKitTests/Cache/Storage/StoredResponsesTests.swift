import APIBaseKit
@testable import APIBaseCache
import TestTiers
import Testing

@Suite(.limited) struct StoredResponsesTests {
    private let replies = StoredResponses([.make(), .make(body: Data(0...255))])

    @Test func `Stored cache responses survive encoding and decoding unchanged`() throws {
        let read = try #require(StoredResponses(replies.bytes))
        #expect(read == replies)
        #expect(try read.bytes == replies.bytes)
        for (reply, original) in zip(read.responses, replies.responses) {
            #expect(reply.headers.map(\.name) == original.headers.map(\.name))
            #expect(reply.headers.map(\.value) == original.headers.map(\.value))
            #expect(reply.varying.count == 3)
            #expect(reply.varying["cookie"] == .some(.none))
            #expect(reply.body.startIndex == 0)
        }
    }

    @Test func `Stored cache responses with empty parts or extreme dates survive encoding and decoding`() throws {
        let reply = StoredResponse(
            method: HTTPMethod(rawValue: "get"),
            varying: [:],
            ReceivedHead(
                statusCode: 599,
                headers: [:],
                requestedAt: .distantPast,
                receivedAt: Date(timeIntervalSinceReferenceDate: .infinity)
            ),
            body: Data()
        )
        for replies in [[], [reply], [reply, .make(), reply]] {
            #expect(try StoredResponses(StoredResponses(replies).bytes)?.responses == replies)
        }
    }

    @Test func `Stored cache responses decode from a Data slice whose indices do not start at zero`() throws {
        let bytes = try Data("before".utf8) + replies.bytes
        #expect(StoredResponses(bytes.dropFirst(6)) == replies)
    }

    @Test func `Stored cache responses do not decode from truncated bytes or with one byte too many`() throws {
        let bytes = try replies.bytes
        for count in 0..<bytes.count { #expect(StoredResponses(bytes.prefix(count)) == nil) }
        #expect(StoredResponses(bytes + [0]) == nil)
        #expect(StoredResponses(bytes.dropFirst()) == nil)
    }

    @Test func `Stored cache responses do not decode when any single byte is changed`() throws {
        var bytes = try replies.bytes
        for index in bytes.indices {
            let byte = bytes[index]
            bytes[index] = byte ^ (index.isMultiple(of: 2) ? 0x01 : 0x80)
            #expect(StoredResponses(bytes) == nil)
            bytes[index] = byte
        }
    }

    /// What somebody may have made on purpose: the digest is right.
    @Test(arguments: HostileResponses.all)
    func `Malformed bytes do not decode as stored cache responses, even with a valid digest`(_ bytes: HostileResponses)
    {
        #expect(StoredResponses(bytes.data) == nil)
    }

    @Test func `Bytes with the layout of the malformed examples, but correct, decode into one stored response`() {
        let head = HostileResponses.head()
        #expect(StoredResponses(HostileResponses("right", head: head, bodies: "body").data)?.responses.count == 1)
    }
}
