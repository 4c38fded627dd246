import Foundation

/// How often each rule applied, and what no rule explains.
struct Tally {
    var counts: [Rule: Int] = [:]
    /// Documents at which the decoders differ without a rule, with both outcomes.
    var defects: [String] = []

    mutating func add(_ rule: Rule, _ defect: @autoclosure () -> String) {
        counts[rule, default: 0] += 1
        if rule == .different, defects.count < 20 { defects.append(defect()) }
    }

    /// Decodes that many mutated documents with both decoders, the shapes in turns.
    static func of(_ documents: Int, seed: UInt64) -> Tally {
        var tally = Tally()
        var mutator = Mutator(seed: seed)
        for number in 0..<documents {
            let shape = Shape.all[number % Shape.all.count]
            shape.compare(mutator.document(from: shape.seeds), &tally)
        }
        return tally
    }
}
