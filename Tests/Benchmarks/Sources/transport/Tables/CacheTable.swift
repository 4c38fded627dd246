import APIBaseKit
import Dispatch
import Foundation
import Harness
import JSONPlaceholder
import Synchronization

/// The time of a cache hit against that of a call over loopback, the hit rate, and the rate of calls through a gate.
///
/// Every line is measured in turns with a call that has none of them; the ratio is that call's time divided by the line's.
struct CacheTable {
    func run() throws {
        let server = try Nginx()
        defer { server.stop() }
        // What has not changed for a year stays fresh for a day.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -365 * 86_400)],
            ofItemAtPath: server.folder.appendingPathComponent("files/users").path
        )
        let folder = server.folder.appendingPathComponent("cache")
        let (memory, files) = (ResponseCache(), ResponseCache(FolderStorage(folder)))
        let base = server.plain
        let plain = line("a call over loopback", base) { _ in }
        let lines = [
            line("a hit in memory", base) { $0.cache = memory },
            line("a hit in a folder", base) { $0.cache = files },
        ]
        print("| line | µs (quartiles) | of a call (quartiles) |")
        print("|---|---:|---:|")
        for line in lines {
            let duel = Duel(line, against: plain)
            guard let ratio = duel.ratio else { continue }
            let times = [duel.ours.median, duel.ours.lower, duel.ours.upper].map { fixed($0 / 1_000, 1) }
            let parts = [ratio.median, ratio.upper, ratio.lower].map { fixed(1 / $0, 2) }
            print(
                "| \(line.name) | \(times[0]) (\(times[1])–\(times[2])) | **\(parts[0])** (\(parts[1])–\(parts[2])) |"
            )
        }
        print("\nHit rate with keys by Zipf's law: \(fixed(100 * hitRate(), 1)) %")
        for rate in [50.0, 500] {
            print("Calls a second through a gate of \(fixed(rate, 0)), in ten seconds: \(fixed(passed(rate) / 10, 1))")
        }
    }

    /// A call, awaited by the thread that makes it.
    private func line(_ name: String, _ base: URL, _ change: @escaping (UsersRequest) -> Void) -> Line {
        Line(name) {
            let request = UsersRequest()
            request.baseURL = base
            change(request)
            let end = DispatchSemaphore(value: 0)
            let subscription = request.sendRequest()
                .sink { _ in
                    end.signal()
                } receiveValue: {
                    blackHole($0)
                }
            end.wait()
            subscription.cancel()
        }
    }

    /// How many calls eight threads, each of which makes one after another, get through a gate in ten seconds.
    private func passed(_ rate: Double) -> Double {
        let (gate, clock) = (CallGate(perSecond: rate), ContinuousClock())
        let end = clock.now + .seconds(10)
        let count = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            while clock.now < end {
                let request = CountedRequest(nil)
                request.gate = gate
                let passed = DispatchSemaphore(value: 0)
                let call = request.sendRequest()
                    .sink { _ in
                        passed.signal()
                    } receiveValue: { _ in
                    }
                passed.wait()
                call.cancel()
                if clock.now < end { count.withLock { $0 += 1 } }
            }
        }
        return Double(count.withLock { $0 })
    }

    /// The share of 100,000 calls that a cache with room for a tenth of 10,000 URLs answers, where the n-th URL is asked for
    /// 1/n as often as the first.
    private func hitRate() -> Double {
        let cache = ResponseCache(bytes: 1_000 * 5_000)
        let sums = (1...10_000).reduce(into: [0.0]) { $0.append($0[$0.count - 1] + 1 / Double($1)) }
        var (state, hits) = (UInt64(1), 0)
        for _ in 0..<100_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let place = Double(state >> 11) / Double(1 << 53) * sums[sums.count - 1]
            let number = sums.partitioningIndex { $0 > place }
            let request = CountedRequest(cache)
            request.path = "/\(number)"
            blackHole(request.sendRequest().sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
            if request.isHit { hits += 1 }
        }
        return Double(hits) / 100_000
    }
}

extension [Double] {
    /// The index of the first element for which `isAbove` holds, if those for which it does stand at the end.
    fileprivate func partitioningIndex(where isAbove: (Double) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isAbove(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// A call whose reply is 4 KB that may be stored, by a session that answers at once.
private final class CountedRequest: APIBase {
    private(set) var isHit = false
    private static let session = InstantSession(["Cache-Control": "max-age=3600"])

    init(_ cache: ResponseCache?) {
        super.init()
        baseURL = URL(string: "http://127.0.0.1")
        session = Self.session
        self.cache = cache
    }

    override func report(_ event: CallEvent) {
        if case .cached = event { isHit = true }
    }
}
