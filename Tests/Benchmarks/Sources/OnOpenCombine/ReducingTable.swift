import Chains

/// Operators that compare, count or leave out values.
let reducing: [Entry] = [
    Entry("removeDuplicates") { up, n, _ in up.map { $0 % (n + 1) }.removeDuplicates() },
    Entry("removeDuplicates(by:)") { up, n, _ in up.removeDuplicates { $0 % (n + 1) == $1 % (n + 1) } },
    Entry("tryRemoveDuplicates") { up, n, world in
        up.tryRemoveDuplicates { old, new in
            world.called("tryRemoveDuplicates")
            try check(new % 6 != n, 40)
            return old % 2 == new % 2
        }
    },
    Entry("reduce") { up, n, _ in up.reduce(n) { $0 + $1 } },
    Entry("tryReduce") { up, n, _ in
        up.tryReduce(0) { sum, value in
            try check(value % 6 != n, 41)
            return sum + value
        }
    },
    Entry("count") { up, _, _ in up.count() },
    Entry("min") { up, _, _ in up.min() },
    Entry("max") { up, _, _ in up.max() },
    Entry("max(by:)") { up, n, _ in up.max { $0 % (n + 1) < $1 % (n + 1) } },
    Entry("min(by:)") { up, n, _ in up.min { $0 % (n + 1) < $1 % (n + 1) } },
    Entry("tryMin") { up, n, _ in
        up.tryMin { old, new in
            try check(new % 6 != n, 42)
            return old < new
        }
    },
    Entry("tryMax") { up, n, _ in
        up.tryMax { old, new in
            try check(new % 6 != n, 42)
            return old < new
        }
    },
    Entry("contains") { up, n, _ in up.contains(n).map { $0 ? 1 : 0 } },
    Entry("contains(where:)") { up, n, _ in up.contains { $0 > n + 1 }.map { $0 ? 1 : 0 } },
    Entry("tryContains") { up, n, _ in
        up.tryContains { value in
            try check(value % 6 != n, 43)
            return value > 4
        }
        .map { $0 ? 1 : 0 }
    },
    Entry("allSatisfy") { up, n, _ in up.allSatisfy { $0 <= n }.map { $0 ? 1 : 0 } },
    Entry("tryAllSatisfy") { up, n, _ in
        up.tryAllSatisfy { value in
            try check(value % 6 != n, 44)
            return value < 4
        }
        .map { $0 ? 1 : 0 }
    },
    Entry("collect(n)") { up, n, _ in up.collect(n + 1).map { $0.reduce($0.count * 100, +) } },
    Entry("ignoreOutput") { up, _, _ in up.ignoreOutput().map(\.asNumber) },
    Entry("tryFirst(where:)") { up, n, _ in
        up.tryFirst { value in
            try check(value % 6 != n, 45)
            return value > 3
        }
    },
    Entry("last(where:)") { up, n, _ in up.last { $0 < n } },
    Entry("tryLast(where:)") { up, n, _ in
        up.tryLast { value in
            try check(value % 6 != n, 46)
            return value < 4
        }
    },
    Entry("output(at:)") { up, n, _ in up.output(at: n) },
    Entry("output(in:)") { up, n, _ in up.output(in: n..<n + n % 3) },
    Entry("prefix") { up, n, _ in up.prefix(n) },
    Entry("prefix(while:)") { up, n, _ in up.prefix { $0 < n } },
    Entry("tryPrefix(while:)") { up, n, _ in
        up.tryPrefix { value in
            try check(value % 6 != n, 47)
            return value < 4
        }
    },
    Entry("dropFirst") { up, n, _ in up.dropFirst(n) },
    Entry("drop(while:)") { up, n, _ in up.drop { $0 < n } },
    Entry("tryDrop(while:)") { up, n, _ in
        up.tryDrop { value in
            try check(value % 6 != n, 48)
            return value < 4
        }
    },
    Entry("measureInterval") { up, _, world in up.measureInterval(using: world.clock).map(\.magnitude) },
    Entry("breakpoint") { up, _, _ in up.breakpoint(receiveOutput: { _ in false }) },
]

extension Never {
    /// For streams without values that are to be streams of numbers.
    fileprivate var asNumber: Int { switch self {} }
}
