import APIBaseKit
import Foundation
import Testing

@testable import APIBaseCache

/// One row of the tables about ages and lifetimes. All replies are received at 08:49:37.
struct FreshnessRule: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let headers: HTTPHeaders
    let seconds: TimeInterval
    var status = 200
    var tookSeconds: TimeInterval = 0
    var later: TimeInterval = 0

    init(
        _ name: String,
        _ headers: HTTPHeaders,
        _ seconds: TimeInterval,
        status: Int = 200,
        tookSeconds: TimeInterval = 0,
        later: TimeInterval = 0
    ) {
        testDescription = name
        self.headers = headers
        self.seconds = seconds
        self.status = status
        self.tookSeconds = tookSeconds
        self.later = later
    }

    var freshness: Freshness {
        let reply = CacheScene.reply(headers, status: status, tookSeconds: tookSeconds)
        return Freshness(of: reply, at: CacheScene.start + later)
    }
}
