import APIBaseKit
import Foundation
import ReplicaSupport
import Synchronization
import Testing

@testable import LoopbackServer
@testable import RedisStores

@Suite(.withRedis, .timeLimit(.minutes(1))) struct LedgerAccountTests {
    @Test func `A call refreshes the token, takes a turn and a place, and stores its response`() async throws {
        let paths = Mutex<[String]>([])
        let server = try HTTPServer { request in
            paths.withLock { $0.append("\(request.method) \(request.path) \(request.headers["Authorization"] ?? "")") }
            let body = #"{"access_token": "second", "refresh_token": "next", "expires_in": 3600}"#
            return .json(Data(body.utf8), headers: HTTPFields(["Cache-Control": "max-age=60"]))
        }
        defer { server.stop(waitingAtMost: .zero) }
        try await RedisServer.run { redis in
            let first = StoredToken("first", expiresAt: .distantPast, refreshToken: "first")
            _ = try await RedisTokenStore("ledger", on: redis.client).replace(nil, with: first)
            for _ in 0..<2 {
                // Another replica.
                let tokenAt = server.url.appendingPathComponent("token")
                let account = try ledgerAccount(on: redis.client, tokenAt: tokenAt)
                let api = JSONAPI(.get("/entries"))
                api.baseURL = server.url
                _ = try await api.call(Data.self).on(account).value()
            }
            let keys = try await redis.client.run("return table.concat(redis.call('KEYS', '*'), ' ')", keys: []).data
            let text = String(decoding: keys ?? Data(), as: UTF8.self)
            for kind in ["{token:", "{cache:"] { #expect(text.contains(kind)) }
            // What the limits have stored goes with its time, so the commands tell of it.
            let commands = try await redis.client.run(["INFO", "commandstats"]).data ?? Data()
            for name in ["cmdstat_zcard:", "cmdstat_pttl:"] {
                #expect(String(decoding: commands, as: UTF8.self).contains(name))
            }
        }
        #expect(paths.withLock { $0 } == ["POST /token ", "GET /entries Bearer second"])
    }
}
