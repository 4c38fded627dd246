import APIBaseKit
import Basics
import Foundation
import Testing

@testable import APIBaseCache

@Suite struct StoredResponseUpdateTests {
    private static let stored: HTTPHeaders = [
        "Content-Type": "text/plain", "Content-Length": "4", "Content-Encoding": "gzip", "Content-Range": "a",
        "X-Kept": "old", "X-Many": "1", "x-many": "2", "Age": "100", "ETag": "\"a\"", "Connection": "old",
    ]
    private static let later = CacheScene.start + 100

    private static func received(
        _ headers: HTTPHeaders,
        _ status: Int,
        requestedAt: Date = later
    ) -> ReceivedHead {
        ReceivedHead(statusCode: status, headers: headers, requestedAt: requestedAt, receivedAt: later)
    }

    private func update(_ headers: HTTPHeaders, _ request: URLRequest = CacheScene.request()) -> StoredResponse {
        var reply = CacheScene.reply(Self.stored)
        reply.isInvalid = true
        return reply.updated(by: Self.received(headers, 304, requestedAt: Self.later - 1), answering: request)
    }

    /// What becomes of one field by a 304 that has it with the values `new` and `newer`, or as one that has it not.
    @Test(
        arguments: [
            ("3.2: a field is replaced", "X-Kept", ["new"], ["new"]),
            ("3.2: a field that is not there stays", "X-Kept", [], ["old"]),
            ("3.2: a field is added", "X-New", ["new"], ["new"]),
            ("3.2: all its lines are replaced", "X-Many", ["new", "newer"], ["new", "newer"]),
            ("3.2: not Content-Type", "Content-Type", ["text/html"], ["text/plain"]),
            (
                "RFC 9530: not Content-Digest", "Content-Digest",
                ["sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"], []
            ),
            ("3.2: Content-Language is replaced", "Content-Language", ["de"], ["de"]),
            ("3.2: not Content-Length", "Content-Length", ["0"], ["4"]),
            ("3.2: not Content-Encoding", "Content-Encoding", ["new"], ["gzip"]),
            ("3.2: not Content-Range", "Content-Range", ["new"], ["a"]),
            ("3.1: not Connection", "Connection", ["new"], []),
            ("3.1: not Proxy-Authenticate", "Proxy-Authenticate", ["new"], []),
            ("4.2.3: the old Age goes", "Age", [], []),
            ("4.2.3: a new Age comes", "Age", ["7"], ["7"]),
            ("RFC 9110, 6.6.1: without Date it is the time of receipt", "Date", [], ["Sun, 06 Nov 1994 08:51:17 GMT"]),
            ("3.2: a new Date comes", "Date", ["new"], ["new"]),
        ] as [(String, String, [String], [String])]
    )
    func `A 304 replaces stored headers except those that describe the stored body`(
        name: String,
        field: String,
        sent: [String],
        expected: [String]
    ) {
        var headers = HTTPHeaders()
        for value in sent { headers.add(name: field.uppercased(), value: value) }
        #expect(update(headers).headers.values(for: field) == expected)
    }

    @Test func `A 304 updates the times and Vary values of a stored response, and keeps its status and body`() {
        let reply = update(["Vary": "Accept"], CacheScene.request(["Accept": "a"]))
        #expect(reply.head.requestedAt == Self.later - 1 && reply.head.receivedAt == Self.later)
        #expect(!reply.isInvalid && reply.body == Data("body".utf8) && reply.statusCode == 200)
        #expect(reply.varying == ["accept": SHA256.digest(of: "a".utf8)])
        #expect(Freshness(of: reply, at: Self.later).age == 1)
    }

    enum Outcome { case updated, invalid, unchanged }

    /// The stored reply has `ETag: "a"` and `Content-Length: 4`.
    @Test(
        arguments: [
            ("4.3.5: the same tag", 200, ["ETag": "\"a\""], Outcome.updated),
            ("4.3.5: another tag", 200, ["ETag": "\"b\""], .invalid),
            ("4.3.5: the same length", 200, ["ETag": "\"a\"", "Content-Length": "4"], .updated),
            ("4.3.5: another length", 200, ["ETag": "\"a\"", "Content-Length": "5"], .invalid),
            ("4.3.5: a change for none", 200, ["ETag": "\"a\"", "Last-Modified": changed], .invalid),
            ("4.3.5: no validator for a tag", 200, ["Content-Length": "4"], .invalid),
            ("4.3.5: another status", 404, ["ETag": "\"b\""], .unchanged),
        ] as [(String, Int, HTTPHeaders, Outcome)]
    )
    func `A HEAD response updates the stored GET response, or invalidates it if ETag or length differ`(
        name: String,
        status: Int,
        headers: HTTPHeaders,
        outcome: Outcome
    ) {
        let reply = CacheScene.reply(Self.stored)
        let request = CacheScene.request(method: "HEAD")
        let result = reply.updated(byHead: Self.received(headers, status), answering: request)
        switch outcome {
        case .unchanged: #expect(result == reply)
        case .invalid: #expect(result.isInvalid && result.headers == reply.headers)
        case .updated: #expect(!result.isInvalid && result.head.receivedAt == Self.later)
        }
        #expect(result.method == .get && result.body == reply.body)
    }

    private static let changed = "Sat, 05 Nov 1994 08:49:37 GMT"

    @Test func `A HEAD response with another Content-Length invalidates a stored one without validators`() {
        let reply = CacheScene.reply(["Content-Length": "4"])
        for (length, isInvalid) in [("4", false), ("5", true)] {
            let result = reply.updated(
                byHead: Self.received(["Content-Length": length], 200),
                answering: CacheScene.request(method: "HEAD")
            )
            #expect(result.isInvalid == isInvalid)
        }
    }

    @Test func `A HEAD response for another variant (by Vary) leaves the stored response unchanged`() {
        let reply = CacheScene.reply(["Vary": "Accept"], to: CacheScene.request(["Accept": "a"]))
        let result = reply.updated(
            byHead: Self.received(["ETag": "\"b\""], 200),
            answering: CacheScene.request(method: "HEAD")
        )
        #expect(result == reply)
    }
}
