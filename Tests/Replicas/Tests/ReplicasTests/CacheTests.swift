import Answers
import Foundation
import ReplicaSupport
import Testing

@testable import RedisStores

extension ReplicaTests {
    /// Eight processes with one cache.
    @Suite(.timeLimit(.minutes(5))) struct CacheTests {
        @Test func `Eight calls in a row take one request`() async throws {
            let upstream = try CacheUpstream()
            try await RedisServer.run { server in
                let replicas = try ReplicaTests.start(8, "cache", server, upstream.url)
                for replica in replicas {
                    let answer = try await replica.ask("get 7 0")
                    #expect(answer?.errors == [])
                    #expect(answer?.body == "body 1 of 7 for user 0")
                }
                #expect(upstream.count == 1)
                await replicas.kill()
            }
        }

        @Test func `A thousand calls of a hundred resources take a hundred requests`() async throws {
            let upstream = try CacheUpstream()
            try await RedisServer.run { server in
                let replicas = try ReplicaTests.start(8, "cache", server, upstream.url)
                var done = 0
                for turn in 0..<10 {
                    // All work at a time, each with other resources, and in the next turn with those of another.
                    let answers = try await replicas.ask { "part \(($0 + turn) % 8) 100" }
                    #expect(answers.allSatisfy { $0?.errors == [] })
                    done += answers.reduce(0) { $0 + ($1?.done ?? 0) }
                }
                await replicas.kill()
                #expect(done == 1_000)
                #expect(upstream.count == 100)
            }
        }

        @Test func `In any order, with equal calls at the same moment, as well`() async throws {
            let upstream = try CacheUpstream()
            try await RedisServer.run { server in
                let replicas = try ReplicaTests.start(8, "cache", server, upstream.url)
                // The first call of a process takes longer.
                for replica in replicas { _ = try await replica.ask("get 0 0") }
                let answers = try await replicas.ask { _ in "all 125 100" }
                await replicas.kill()
                #expect(answers.allSatisfy { $0?.errors == [] })
                #expect(answers.reduce(0) { $0 + ($1?.done ?? 0) } == 1_000)
                print("1000 calls of 100 resources in any order, \(upstream.count) requests")
                // Some give up the wait on a busy machine.
                #expect(upstream.count <= 110)
            }
        }

        @Test func `What one removes or changes is gone for all`() async throws {
            let upstream = try CacheUpstream()
            try await RedisServer.run { server in
                let replicas = try ReplicaTests.start(8, "cache", server, upstream.url)
                func bodies() async throws -> Set<String?> {
                    var bodies: Set<String?> = []
                    for replica in replicas { bodies.insert(try await replica.ask("get 7 0")?.body) }
                    return bodies
                }
                #expect(try await bodies() == ["body 1 of 7 for user 0"])
                _ = try await replicas[3].ask("purge")
                #expect(try await bodies() == ["body 2 of 7 for user 0"])
                _ = try await replicas[5].ask("change 7 1")
                #expect(try await bodies() == ["body 4 of 7 for user 0"])
                await replicas.kill()
            }
        }

        @Test func `Users share nothing, and the server has no name of theirs`() async throws {
            let upstream = try CacheUpstream()
            try await RedisServer.run { server in
                let replicas = try ReplicaTests.start(2, "cache", server, upstream.url)
                for user in 0..<3 {
                    for replica in replicas {
                        let answer = try await replica.ask("get 7 \(user)")
                        #expect(answer?.body == "body \(user + 1) of 7 for user \(user)")
                    }
                }
                await replicas.kill()
                #expect(upstream.count == 3)
                let dump = try await server.dump()
                for canary in ["secret-token", "secret-resources", "127.0.0.1", "Bearer", "Authorization"] {
                    #expect(dump.range(of: Data(canary.utf8)) == nil, "\(canary)")
                }
                // Each body is under a key of its own, in the open.
                let script = """
                    local result = {}
                    for _, key in ipairs(redis.call('KEYS', '*')) do
                        if redis.call('TYPE', key).ok == 'string' then
                            table.insert(result, key .. ' ' .. redis.call('GET', key))
                        end
                    end
                    return table.concat(result, '\\n\\n')
                    """
                let text = try await server.client.run(script, keys: []).data ?? Data()
                let values = String(decoding: text, as: UTF8.self).components(separatedBy: "\n\n")
                for user in 0..<3 { #expect(values.filter { $0.contains("for user \(user)") }.count == 1) }
                let names = values.filter { $0.contains("for user") }.map { $0.prefix { $0 != " " } }
                #expect(Set(names).count == 3)
            }
        }
    }
}
