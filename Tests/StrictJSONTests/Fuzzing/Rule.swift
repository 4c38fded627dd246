import Foundation

/// One document at both decoders, and the rule that allows it where they differ. These are the rows of the table
/// in the module's documentation.
enum Rule: String, CaseIterable {
    /// Both have the same value.
    case same = "the same value"
    /// Both have the same kind of error at the same place.
    case sameFailure = "the same error"
    /// The document is not JSON, and Foundation reads it: a comma too many, or an error in a part that is not read.
    case refused = "not JSON, but read by Foundation"
    /// The document is not JSON, and Foundation finds something else wrong with it first.
    case refusedOtherwise = "not JSON, another error in Foundation"
    /// A number that does not fit: Foundation does not say where.
    case pathOfNumber = "number that does not fit, Foundation's path is empty"
    /// Not a date: Foundation leaves the last key out.
    case pathOfDate = "not an ISO date, Foundation's path is too short"
    /// Several members of a dictionary are wrong: Foundation names any of them, this module the first.
    case order = "several errors in a dictionary"
    /// Zero with an exponent: Foundation finds it too small for a number, depending on how long it is.
    case zeroWithExponent = "zero with an exponent, refused by Foundation"
    /// None of these: a defect.
    case different

    init<Value: Equatable>(
        _ document: [UInt8],
        ours: Outcome<Value>,
        theirs: Outcome<Value>,
        hasDictionary: Bool
    ) {
        // Zeros or a mark in front may make it text in another encoding.
        let isUTF8 = !document.prefix(4).contains(0) && document.first ?? 0 < 0xEF
        let isRefused = if case .failure(let failure) = ours { failure.isOfDocument } else { false }
        let isJSON = isUTF8 ? GrammarOfJSON.accepts(document) : !isRefused
        self = Self.of(ours, theirs, isJSON: isJSON, isRefused: isRefused, hasDictionary: hasDictionary)
        if self == .different, isJSON, !isRefused, document.hasZeroWithExponent { self = .zeroWithExponent }
    }

    private static func of<Value: Equatable>(
        _ ours: Outcome<Value>,
        _ theirs: Outcome<Value>,
        isJSON: Bool,
        isRefused: Bool,
        hasDictionary: Bool
    ) -> Rule {
        switch (ours, theirs) {
        case (.value(let ours), .value(let theirs)):
            // What is not a number equals nothing, but is written alike.
            return isJSON && (ours == theirs || "\(ours)" == "\(theirs)") ? .same : .different
        case (.failure(let ours), .failure(let theirs)):
            if isJSON, ours.isOfDocument, !theirs.path.isEmpty || theirs.kind != ours.kind {
                return .different
            } else if ours == theirs {
                return .sameFailure
            } else if !isJSON {
                return ours.isOfDocument ? .refusedOtherwise : .different
            } else if ours.kind == "dataCorrupted", theirs.isOfDocument {
                return .pathOfNumber
            } else if ours.kind == theirs.kind, ours.kind == "dataCorrupted", ours.path.starts(with: theirs.path) {
                return .pathOfDate
            } else {
                return hasDictionary ? .order : .different
            }
        case (.failure, .value):
            return isRefused && !isJSON ? .refused : .different
        case (.value, .failure):
            return .different
        }
    }
}

extension [UInt8] {
    /// Whether there is a number like `0.00e5`, perhaps in a string.
    fileprivate var hasZeroWithExponent: Bool {
        indices.contains { place in
            guard self[place] | 0x20 == UInt8(ascii: "e"), place > 0, self[place - 1] == UInt8(ascii: "0") else {
                return false
            }
            let digits = self[..<place].reversed().prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
            return digits.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
        }
    }
}
