import APIBaseKit
import Foundation
import Testing

@testable import APIBaseCache

/// One row of the tables about decisions.
struct DecisionRule: CustomTestStringConvertible, Sendable {
    enum Kind { case forward, use, useAndRevalidate, validate, unsatisfiable }

    let testDescription: String
    let kind: Kind
    let reply: StoredResponse?
    let request: URLRequest
    let later: TimeInterval

    /// The reply says `max-age=60` and has an entity tag.
    init(
        _ name: String,
        _ kind: Kind,
        after later: TimeInterval = 0,
        _ request: URLRequest = CacheScene.request(),
        reply: String? = "max-age=60",
        isInvalid: Bool = false
    ) {
        testDescription = name
        self.kind = kind
        self.request = request
        self.later = later
        self.reply = reply.map {
            var reply = CacheScene.reply(["Cache-Control": $0, "ETag": "\"a\""])
            reply.isInvalid = isInvalid
            return reply
        }
    }

    init(
        _ name: String,
        _ kind: Kind,
        after later: TimeInterval = 0,
        _ asked: String,
        reply: String? = "max-age=60"
    ) {
        self.init(name, kind, after: later, CacheScene.request(["Cache-Control": asked]), reply: reply)
    }

    init(
        _ name: String,
        _ kind: Kind,
        after later: TimeInterval = 0,
        _ policy: URLRequest.CachePolicy,
        reply: String? = "max-age=60",
        isInvalid: Bool = false
    ) {
        let request = CacheScene.request(policy: policy)
        self.init(name, kind, after: later, request, reply: reply, isInvalid: isInvalid)
    }

    init(_ name: String, _ kind: Kind, header: String) {
        self.init(name, kind, CacheScene.request([header: "x"]))
    }

    func check() {
        let now = CacheScene.start + later
        let decision = CacheRules.decision(for: request, among: reply.map { [$0] } ?? [], at: now)
        var validating = request
        validating.setValue("\"a\"", forHTTPHeaderField: "If-None-Match")
        validating.setValue(CacheScene.date, forHTTPHeaderField: "If-Modified-Since")
        let expected: CacheDecision? =
            switch kind {
            case .forward: .forward(request)
            case .use: reply.map(CacheDecision.use)
            case .useAndRevalidate: reply.map { .useAndRevalidate($0, validating) }
            case .validate: reply.map { .validate($0, validating) }
            case .unsatisfiable: .unsatisfiable
            }
        #expect(decision == expected)
    }
}
