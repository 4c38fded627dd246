import PortableCombine

/// The operators that make one value of many, or pass on some of them.
extension OperatorCase {
    static let reducing: [OperatorCase] = [
        of("tryFirst(where:)", "TryFirstWhere", [1]) { $0.tryFirst { $0 > 0 } },
        of("last(where:)", "LastWhere", [100]) { $0.last { $0 > 0 } },
        of("tryLast(where:)", "TryLastWhere", [100]) { $0.tryLast { $0 > 0 } },
        of("reduce", "Reduce", [5050]) { $0.reduce(0, +) },
        of("tryReduce", "TryReduce", [5050]) { $0.tryReduce(0, +) },
        of("count", "Count", [100]) { $0.count() },
        of("min", "Comparison", [1]) { $0.min() },
        of("max", "Comparison", [100]) { $0.max() },
        of("tryMin(by:)", "TryComparison", [1]) { $0.tryMin(by: <) },
        of("tryMax(by:)", "TryComparison", [100]) { $0.tryMax(by: <) },
        of("contains", "Contains", [1]) { $0.contains(50).map { $0 ? 1 : 0 } },
        of("contains(where:)", "ContainsWhere", [1]) { $0.contains { $0 == 50 }.map { $0 ? 1 : 0 } },
        of("tryContains(where:)", "TryContainsWhere", [1]) { $0.tryContains { $0 == 50 }.map { $0 ? 1 : 0 } },
        of("allSatisfy", "AllSatisfy", [0]) { $0.allSatisfy { $0 < 50 }.map { $0 ? 1 : 0 } },
        of("tryAllSatisfy", "TryAllSatisfy", [0]) { $0.tryAllSatisfy { $0 < 50 }.map { $0 ? 1 : 0 } },
        of("ignoreOutput", "IgnoreOutput", []) { $0.ignoreOutput().map { (_: Never) -> Int in } },
    ]

    static let selecting: [OperatorCase] = [
        of("removeDuplicates", nil) { $0.removeDuplicates() },
        of("tryRemoveDuplicates(by:)", "TryRemoveDuplicates") { $0.tryRemoveDuplicates(by: ==) },
        of("dropFirst", "Drop") { $0.dropFirst(0) },
        of("drop(while:)", nil) { $0.drop { $0 < 0 } },
        of("tryDrop(while:)", "TryDropWhile") { $0.tryDrop { $0 < 0 } },
        of("output(in:)", "Output") { $0.output(in: 0...) },
        of("prefix", "Output") { $0.prefix(.max) },
        of("prefix(while:)", "PrefixWhile") { $0.prefix { $0 < .max } },
        of("tryPrefix(while:)", "TryPrefixWhile") { $0.tryPrefix { $0 < .max } },
        of("collect(1)", "CollectByCount") { $0.collect(1).map { $0[0] } },
        of("breakpoint", "Breakpoint") { $0.breakpoint(receiveOutput: { _ in false }) },
    ]

    /// `result` is what the operator makes of 1 to 100; nil if it passes them on.
    private static func of<P: Publisher & SendableMetatype>(
        _ name: String,
        _ describes: String?,
        _ result: [Int]? = nil,
        apply: @escaping @Sendable (Stream) -> P
    ) -> OperatorCase where P.Output == Int, P.Failure == any Error {
        OperatorCase(name: name, describes: describes, gathers: result != nil, result: result) {
            apply($0).eraseToAnyPublisher()
        }
    }
}
