import APIBaseKit
@testable import APIBaseCache
import Basics
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct MemoryResponsesTests {
    private static let size = StoredResponse.make().size

    @Test func `MemoryResponses finds cached responses under their key until they are replaced or removed`() {
        let memory = MemoryResponses(bytes: 1 << 20)
        let (first, second) = (ResponseKey("a", "1"), ResponseKey("a", "2"))
        memory.store([.make(), .make()], for: first)
        #expect(memory.responses(for: first) == [.make(), .make()])
        #expect(memory.responses(for: second).isEmpty)
        memory.store([.make(body: Data())], for: first)
        #expect(memory.responses(for: first) == [.make(body: Data())])
        memory.store([], for: first)
        #expect(memory.responses(for: first).isEmpty)
        #expect(memory.bytes == 0)
    }

    @Test func `Removing a URL from MemoryResponses removes its responses for all users, but no other URL`() {
        let memory = MemoryResponses(bytes: 1 << 20)
        let keys = [ResponseKey("a", "1"), ResponseKey("a", "2"), ResponseKey("b", "1")]
        for key in keys { memory.store([.make()], for: key) }
        memory.removeAll(for: keys[0].url)
        #expect(keys.map { memory.responses(for: $0).count } == [0, 0, 1])
        #expect(memory.bytes == Self.size)
        memory.removeAll()
        #expect(keys.map { memory.responses(for: $0).count } == [0, 0, 0])
        #expect(memory.bytes == 0)
        memory.store([.make()], for: keys[0])
        #expect(memory.responses(for: keys[0]).count == 1)
    }

    @Test func `MemoryResponses does not keep a response larger than a quarter of its limit in bytes`() {
        let memory = MemoryResponses(bytes: 8_000)
        let large = StoredResponse.make(body: Data(count: 2_001))
        let key = ResponseKey("a")
        memory.store([.make()], for: key)
        memory.store([large, .make(body: Data("b".utf8))], for: key)
        #expect(memory.responses(for: key).map(\.body) == [Data("b".utf8)])
        memory.store([large], for: key)
        #expect(memory.responses(for: key).isEmpty)
        let none = MemoryResponses(bytes: -1)
        none.store([.make()], for: key)
        #expect(none.responses(for: key).isEmpty)
    }

    @Test func `MemoryResponses keeps no responses of a key that together exceed its limit in bytes`() {
        let memory = MemoryResponses(bytes: 8 * Self.size)
        memory.store(Array(repeating: .make(), count: 9), for: ResponseKey("a"))
        #expect(memory.bytes == 0)
        memory.store(Array(repeating: .make(), count: 8), for: ResponseKey("a"))
        #expect(memory.bytes == 8 * Self.size)
    }

    /// Against a list in which everything is searched for.
    @Test func `MemoryResponses removes the least recently used responses when its limit in bytes is exceeded`() {
        let room = 20
        let memory = MemoryResponses(bytes: room * Self.size)
        var numbers = RandomNumbers(seed: 1)
        var model: [ResponseKey] = []
        for _ in 0..<load(10_000) {
            let (url, user) = (Int.random(in: 0..<15, using: &numbers), Int.random(in: 0..<3, using: &numbers))
            let key = ResponseKey("\(url)", "\(user)")
            switch Int.random(in: 0..<100, using: &numbers) {
            case 0:
                memory.removeAll(for: key.url)
                model.removeAll { $0.url == key.url }
            case 1..<50:
                memory.store([.make()], for: key)
                model = (model.filter { $0 != key } + [key]).suffix(room)
            default:
                #expect(memory.responses(for: key).isEmpty == !model.contains(key))
                if model.contains(key) { model = model.filter { $0 != key } + [key] }
            }
            #expect(memory.bytes == model.count * Self.size)
        }
    }

    @Test func `Eight threads get only their key's responses from MemoryResponses, which stays within its limit`() {
        let memory = MemoryResponses(bytes: 50 * Self.size)
        let keys = (0..<100).map { ResponseKey("\($0 / 2)", "\($0 % 2)") }
        let wrong = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var numbers = RandomNumbers(seed: UInt64(thread))
            for step in 0..<load(4_000) {
                let key = keys[Int.random(in: 0..<keys.count, using: &numbers)]
                let reply = StoredResponse.make(body: Data(key.url.prefix(4).utf8))
                switch step % 50 {
                case 0:
                    memory.removeAll(for: key.url)
                case 1..<25: memory.store([reply], for: key)
                default: if ![[], [reply]].contains(memory.responses(for: key)) { wrong.withLock { $0 += 1 } }
                }
            }
            if thread == 0 { memory.removeAll() }
        }
        #expect(wrong.withLock { $0 } == 0)
        #expect(memory.bytes <= 50 * Self.size)
        for key in keys { memory.store([], for: key) }
        #expect(memory.bytes == 0)
    }
}
