import Basics
import TestTiers
import Testing

@testable import HTTPTransport

extension ConnectionLimiterTests {
    struct Uploads: Sendable, CustomTestStringConvertible {
        let perOrigin: Int
        var total = Int.max
        var loops = 1
        var isMultiplexed = false
        /// Whether a download ends only after its upload has a connection, because it does not fit into the buffers.
        var isLong = true

        var testDescription: String { "\(perOrigin)/\(total), \(loops) loops, \(isMultiplexed), \(isLong)" }
    }

    /// Uploads, each of which sends what a download from the same origin gives.
    private struct Copies {
        let test: Uploads
        var limiter: ConnectionLimiter<Hop>
        /// The uploads that have a connection, and the downloads that run: by number.
        var uploads: [Int: Grant] = [:]
        var downloads: [Int: Grant] = [:]
        var resting: [Int: Grant] = [:]
        var ended = 0
        var most = 0

        init(_ test: Uploads) {
            self.test = test
            limiter = ConnectionLimiter(perOrigin: test.perOrigin, total: test.total, loops: test.loops)
        }

        mutating func began(_ grant: Grant?) {
            guard let grant else { return }
            let number = grant.hop.number
            if grant.hop.origin == "download" {
                downloads[number] = grant
                // It gives something at once.
                if let upload = resting.removeValue(forKey: number) { began(limiter.claim(upload)) }
            } else if grant.hasConnection {
                uploads[number] = grant
            } else {
                resting[number] = grant
                began(limiter.enter(Hop("download", number), to: ConnectionLimiterTests.origin("a")))
            }
            most = max(most, uploads.count + downloads.count)
        }

        mutating func leave(_ grant: Grant) {
            limiter.leave(grant)
            while let next = limiter.next(sharing: grant) { began(next) }
        }

        /// Ends what can end; false if nothing can.
        mutating func step() -> Bool {
            let number = downloads.keys.sorted().first { !test.isLong || uploads[$0] != nil }
            if let number, let download = downloads.removeValue(forKey: number) {
                leave(download)
                return true
            }
            guard let number = uploads.keys.sorted().first(where: { downloads[$0] == nil }),
                let upload = uploads.removeValue(forKey: number)
            else { return false }
            ended += 1
            leave(upload)
            return true
        }
    }

    @Test(arguments: [
        Uploads(perOrigin: 2), Uploads(perOrigin: 3), Uploads(perOrigin: 8), Uploads(perOrigin: 8, loops: 4),
        Uploads(perOrigin: 4, total: 4, loops: 2), Uploads(perOrigin: 1, isLong: false),
        Uploads(perOrigin: 1, isMultiplexed: true), Uploads(perOrigin: 2, loops: 2, isMultiplexed: true),
    ])
    func `Uploads whose bodies are downloads from the same origin all end within the connection limit`(_ test: Uploads)
        throws
    {
        var copies = Copies(test)
        if test.isMultiplexed {
            let first = copies.limiter.enter(Hop("first", 0), to: Self.origin("a"))
            let grant = try #require(first)
            copies.limiter.record(grant, isMultiplexed: true)
            copies.limiter.leave(grant)
        }
        for number in 1...500 {
            copies.began(copies.limiter.enter(Hop("upload", number), to: Self.origin("a"), hasSource: true))
        }
        while copies.step() {}
        #expect(copies.ended == 500)
        #expect(copies.limiter.count == 0)
        #expect(copies.most <= test.perOrigin * (test.isMultiplexed ? 100 : 1))
    }

    @Test(arguments: [2, 8]) func `Uploads whose sources give nothing leave half of the connections to others`(
        perOrigin: Int
    ) {
        var limiter = ConnectionLimiter<Hop>(perOrigin: perOrigin)
        let uploads = (0..<100).map { limiter.enter(Hop("upload", $0), to: Self.origin("a"), hasSource: true) }
        #expect(uploads.compactMap(\.self).count == perOrigin)
        let others = (0..<100).map { limiter.enter(Hop("other", $0), to: Self.origin("a")) }
        #expect(others.compactMap(\.self).count == perOrigin / 2)
        // The other half is for the uploads, as soon as they have something to send.
        let claims = uploads.compactMap(\.self).map { limiter.claim($0) }
        #expect(claims.compactMap(\.self).count == perOrigin / 2)
    }

    /// What an upload has when it ends: the grant of its connection may be on its way.
    enum Holding: CaseIterable, Sendable { case nothingToSend, noConnection, connection }

    @Test(arguments: Holding.allCases)
    func `ConnectionLimiter counts an upload that leaves with each of its grants once, and lets it claim nothing more`(
        _ holding: Holding
    ) throws {
        var limiter = ConnectionLimiter<Hop>(perOrigin: 1)
        let first = limiter.enter(Hop("upload", 1), to: Self.origin("a"), hasSource: true)
        let upload = try #require(first)
        var other = limiter.enter(Hop("other", 1), to: Self.origin("a"))
        var granted: Grant?
        if holding != .nothingToSend { #expect(limiter.claim(upload) == nil) }
        if holding == .connection, let grant = other.take() {
            limiter.leave(grant)
            granted = limiter.next()
            #expect(granted?.hop === upload.hop && granted?.hasConnection == true)
        }
        limiter.leave(upload)
        limiter.leave(granted ?? upload)
        #expect(limiter.claim(upload) == nil)
        if let other { limiter.leave(other) }
        #expect(limiter.next() == nil)
        #expect(limiter.count == 0 && limiter.running == 0)
        // One connection is free, and no more.
        #expect((2...3).map { limiter.enter(Hop("other", $0), to: Self.origin("a")) != nil } == [true, false])
    }

    /// Whatever comes in whatever order: an upload ends while it rests, waits, sends, or has a grant on its way.
    @Test(arguments: [(1, Int.max, 1), (2, .max, 2), (3, 4, 2)])
    func `ConnectionLimiter exceeds no limit and loses no connection in a random series of uploads and their ends`(
        perOrigin: Int,
        total: Int,
        loops: Int
    ) {
        var random = RandomNumbers(seed: 1)
        var limiter = ConnectionLimiter<Hop>(perOrigin: perOrigin, total: total, loops: loops)
        /// The newest grants of the hops that have begun, and those that are on their way, also to hops that have ended.
        var begun: [Grant] = []
        var underway: [Grant] = []
        var most = (origin: 0, total: 0)
        func began(_ grant: Grant?) {
            guard let grant else { return }
            let isUpload = begun.contains { $0.hop === grant.hop }
            isUpload ? underway.append(grant) : begun.append(grant)
        }
        func leave(_ grant: Grant) {
            limiter.leave(grant)
            while let next = limiter.next(sharing: grant) { began(next) }
        }
        let steps = load(5_000)
        for step in 0..<steps * 2 {
            // No more enter in the second half, and all end.
            let kind = Int.random(in: step < steps ? 0..<5 : 2..<5, using: &random)
            if kind < 2 {
                let hop = Hop(step.isMultiple(of: 2) ? "a" : "b", step)
                began(limiter.enter(hop, to: Self.origin(hop.origin), hasSource: !step.isMultiple(of: 3)))
            } else if kind == 2, let index = underway.indices.randomElement(using: &random) {
                let grant = underway.remove(at: index)
                let place = begun.firstIndex { $0.hop === grant.hop }
                if let place { begun[place] = grant } else { leave(grant) }
            } else if let index = begun.indices.randomElement(using: &random) {
                if kind == 3, !begun[index].hasConnection {
                    let grant = limiter.claim(begun[index])
                    if let grant { begun[index] = grant }
                } else {
                    let grant = begun.remove(at: index)
                    grant.hop.isCancelled = true
                    leave(grant)
                }
            }
            let using = (begun.filter(\.hasConnection) + underway).filter { !$0.hop.isCancelled }
            most.total = max(most.total, using.count)
            for origin in ["a", "b"] { most.origin = max(most.origin, using.count { $0.hop.origin == origin }) }
        }
        #expect(begun.isEmpty && underway.isEmpty && limiter.count == 0 && limiter.running == 0)
        #expect(most.origin <= perOrigin && most.total <= total)
    }
}
