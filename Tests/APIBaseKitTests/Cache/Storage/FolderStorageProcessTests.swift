#if os(Linux)
@testable import APIBaseCache
import APIBaseKit
import HostileServer
import TestTiers
import Testing

/// Processes that are killed, that share a folder, or that have no room.
@Suite(.limited) struct FolderStorageProcessTests {
    /// So many are killed in each of four folders at the same time.
    private static let kills = load(30)

    private let folder = StorageFolder()

    /// The versions of the keys that are stored; nil for one that has none. What is not whole is an issue.
    private static func versions(in folder: URL) async throws -> [Int?] {
        let storage = FolderStorage(folder)
        var versions: [Int?] = []
        for url in 0..<8 {
            let key = ResponseKey(url: StorageSample.digest(url), user: StorageSample.digest(0))
            let value = try await storage.data(for: key)
            versions.append(try value.map { try #require(StorageSample.version(of: $0, url: url, user: 0)) })
        }
        return versions
    }

    @Test func `Cache files stay whole, and stored ones are not lost, when a writing process is killed`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                let folder = folder.url.appendingPathComponent("\(number)")
                group.addTask { try await Self.killAgainAndAgain(in: folder) }
            }
            try await group.waitForAll()
        }
    }

    private static func killAgainAndAgain(in folder: URL) async throws {
        let program = try #require(Children()).program
        var before: [Int?] = Array(repeating: nil, count: 8)
        for round in 0..<kills {
            let first = round * 100_001
            let said = try await kill(program, ["storage", "write", folder.path, "\(first)"])
            let after = try await versions(in: folder)
            for url in 0..<8 {
                // What was said to be stored is stored, or what was written after that.
                let oldest = said[url] ?? before[url] ?? -1
                #expect((after[url] ?? -1) >= oldest, "round \(round)")
                #expect(after[url] == before[url] || after[url].map { $0 >= first && $0 % 8 == url } == true)
            }
            before = after
        }
        #expect(before.contains { $0 != nil })
    }

    /// Starts a child, and kills it some time after it has stored something. The last versions that it said it had
    /// stored.
    private static func kill(_ program: URL, _ arguments: [String]) async throws -> [Int: Int] {
        let data = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Data, any Error>) in
            DispatchQueue(label: "killer").async {
                continuation.resume(
                    with: Result {
                        let child = try ChildProcess(program, arguments)
                        let start = child.output.availableData
                        // The moment is what is random here.
                        usleep(.random(in: 0...5_000))
                        child.send(SIGKILL)
                        let (rest, end) = try child.finish()
                        #expect(end == .signal(SIGKILL))
                        return start + rest
                    }
                )
            }
        }
        // The last line may have been cut off.
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count > 1)
        return lines.dropLast().reduce(into: [:]) { said, line in
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            if numbers.count == 2 { said[numbers[0]] = numbers[1] }
        }
    }

    @Test(.heavy) func `Four processes that share a cache folder read only whole values without errors`() async throws {
        let children = try #require(Children())
        let lines = try await withThrowingTaskGroup(of: [Substring].self) { group in
            for seed in 0..<4 {
                group.addTask {
                    let arguments = ["storage", "share", folder.url.path, "1", "\(seed)"]
                    let (lines, byItself, _) = try await children.run(arguments)
                    #expect(byItself)
                    return lines
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(lines.count == 4, "\(lines)")
        for line in lines {
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            try #require(numbers.count == 3, "\(line)")
            #expect(numbers[0] > 0, "values that were read")
            #expect(numbers[1] == 0, "values that were wrong")
            #expect(numbers[2] == 0, "calls that failed")
        }
        #expect(try folder.leftovers().isEmpty)
    }

    @Test
    func `A cache write beyond the file size limit of the process fails with EFBIG and leaves no file`() async throws {
        let lines = try await #require(Children()).run(["storage", "full", folder.url.path]).lines
        #expect(lines == ["stored", "error \(EFBIG)", "small"])
        #expect(try folder.leftovers().isEmpty)
    }
}
#endif
