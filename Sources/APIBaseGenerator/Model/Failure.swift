import OpenAPIDocument

/// A kind of failure, as the document describes it.
struct Failure {
    /// The name of its property.
    let property: String
    let type: SwiftType
    /// The statuses of its replies, of all operations.
    var statuses: Set<Int>

    /// Whether its type can be thrown.
    var isError: Bool { type.declaration.map { $0.enumeration == nil } ?? false }

    /// The shorter one of two patterns in Swift: that of its statuses, or that of the others; `nil` if it can have any.
    var pattern: (text: String, isOfOthers: Bool)? {
        let (own, others) = (Self.runs(of: statuses), Self.runs(of: Self.all.subtracting(statuses)))
        if others.isEmpty { return nil }
        return (Self.text(of: own.count <= others.count ? own : others), own.count > others.count)
    }

    /// Statuses as a pattern in Swift.
    static func pattern(of statuses: Set<Int>) -> String { text(of: runs(of: statuses)) }

    private static func text(of runs: [Range<Int>]) -> String {
        runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0)" }.joined(separator: ", ")
    }

    /// The statuses of failures, and of redirects that are not followed.
    static let all = Set(300..<600)

    /// The statuses as ranges without gaps, in order.
    private static func runs(of statuses: Set<Int>) -> [Range<Int>] {
        statuses.sorted().reduce(into: []) { runs, status in
            if let last = runs.last, last.upperBound == status {
                runs[runs.count - 1] = last.lowerBound..<status + 1
            } else {
                runs.append(status..<status + 1)
            }
        }
    }
}

/// The statuses that an operation names.
struct NamedStatuses {
    private let single: Set<Int>
    private let ranges: Set<Int>

    init(_ names: [String]) {
        single = Set(names.compactMap { Int($0) })
        ranges = Set(names.flatMap { Self.range($0) ?? 0..<0 })
    }

    /// The statuses for which a reply stands: a single one goes before a range, and both before `default` (OpenAPI 3.1,
    /// section 4.8.16).
    func statuses(of name: String) -> Set<Int> {
        if let status = Int(name) { return [status] }
        if let range = Self.range(name) { return Set(range).subtracting(single) }
        return Failure.all.subtracting(single).subtracting(ranges)
    }

    /// Those of `4XX`.
    private static func range(_ name: String) -> Range<Int>? {
        guard name.uppercased().hasSuffix("XX"), let first = name.first?.wholeNumberValue else { return nil }
        return first * 100..<first * 100 + 100
    }
}
