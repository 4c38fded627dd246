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
}
