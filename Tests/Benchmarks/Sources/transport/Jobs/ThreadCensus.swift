import Foundation

/// How many threads of one name this process has at the most, looked up every few milliseconds.
struct ThreadCensus {
    private let task: Task<Int, Never>

    /// Begins to count.
    init(of name: String) {
        task = Task.detached {
            var peak = 0
            while !Task.isCancelled {
                peak = max(peak, Self.count(of: name))
                try? await Task.sleep(for: .milliseconds(20))
            }
            return peak
        }
    }

    /// Ends the count, and returns the peak.
    func end() async -> Int {
        task.cancel()
        return await task.value
    }

    private static func count(of name: String) -> Int {
        let folder = "/proc/self/task"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return numbers.count { number in
            let text = FileManager.default.contents(atPath: "\(folder)/\(number)/comm") ?? Data()
            return String(decoding: text, as: UTF8.self) == name + "\n"
        }
    }
}
