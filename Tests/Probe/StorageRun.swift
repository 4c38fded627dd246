#if os(Linux)
import APIBaseKit
import Basics
import HostileServer

/// Uses a cache folder that several processes share, or whose process is killed.
enum StorageRun {
    static func run(_ arguments: [String]) async throws {
        let folder = URL(fileURLWithPath: arguments[1])
        switch (arguments[0], arguments.count) {
        case ("write", 3): try await write(folder, from: Int(arguments[2]) ?? 0)
        case ("share", 4): await share(folder, seconds: Int(arguments[2]) ?? 0, seed: UInt64(arguments[3]) ?? 0)
        case ("full", 2): try await fill(folder)
        default: say("unknown")
        }
    }

    private static func key(_ url: Int, _ user: Int) -> ResponseKey {
        ResponseKey(url: StorageSample.digest(url), user: StorageSample.digest(user))
    }

    /// Writes versions until the process is killed, and prints each stored one.
    private static func write(_ folder: URL, from first: Int) async throws {
        let storage = FolderStorage(folder)
        for version in first..<(first + 100_000) {
            let url = version % 8
            let value = StorageSample.value(url: url, user: 0, version: version)
            try await storage.store(value, for: key(url, 0))
            say("\(url) \(version)")
        }
    }

    /// Reads, writes and removes at random, four tasks at a time. Prints the number of values read, of wrong values,
    /// and of failed calls.
    private static func share(_ folder: URL, seconds: Int, seed: UInt64) async {
        let storage = FolderStorage(folder, bytes: 1 << 20)
        let end = ContinuousClock.now + .seconds(seconds)
        let counts = Locked([0, 0, 0])
        let failures = Locked(Set<String>())
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    var numbers = RandomNumbers(seed: seed * 4 + UInt64(task))
                    while ContinuousClock.now < end {
                        do {
                            let isRight = try await step(storage, &numbers)
                            counts.withLock { counts in
                                counts[0] += isRight == nil ? 0 : 1
                                counts[1] += isRight == false ? 1 : 0
                            }
                        } catch {
                            counts.withLock { $0[2] += 1 }
                            failures.withLock { _ = $0.insert("\(error)") }
                        }
                    }
                }
            }
        }
        say("read, wrong, failed: " + counts.withLock { $0 }.map(String.init).joined(separator: " "))
        for failure in failures.withLock({ $0 }) { say(failure) }
    }

    /// One call. Returns whether the value was right; `nil` without a value.
    private static func step(_ storage: FolderStorage, _ numbers: inout RandomNumbers) async throws -> Bool? {
        let url = Int.random(in: 0..<StorageSample.urls, using: &numbers)
        let user = Int.random(in: 0..<StorageSample.users, using: &numbers)
        switch Int.random(in: 0..<1_000, using: &numbers) {
        case 0: try await storage.removeAll()
        case 1..<50: try await storage.removeAll(for: key(url, user).url)
        case 50..<400:
            let version = Int.random(in: 0..<1_000_000, using: &numbers)
            let value = StorageSample.value(url: url, user: user, version: version)
            try await storage.store(value, for: key(url, user))
        default:
            let value = try await storage.data(for: key(url, user))
            return value.map { StorageSample.version(of: $0, url: url, user: user) != nil }
        }
        return nil
    }

    /// Writes more than fits: files of this process have at most 10,000 bytes. Prints the results for
    /// a small value, a large one, and the small one again.
    private static func fill(_ folder: URL) async throws {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 10_000, rlim_max: 10_000)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        let storage = FolderStorage(folder)
        try await storage.store(Data("small".utf8), for: key(0, 0))
        say("stored")
        do {
            try await storage.store(Data(repeating: 1, count: 20_000), for: key(0, 0))
            say("stored")
        } catch let error as POSIXError {
            say("error \(error.code.rawValue)")
        }
        say(String(decoding: try await storage.data(for: key(0, 0)) ?? Data(), as: UTF8.self))
    }
}
#endif
