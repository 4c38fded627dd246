import Basics
internal import StrictJSON

/// The attempts to decode parts of one value as one type: whether a part is of a type, and its value.
///
/// If a choice is in another, each of whose types is tried, the time would double with each level. So the outermost choice
/// begins a table for each of its types, and while that is tried, each part of the value is decoded as each type once.
final class Trials: Sendable {
    @TaskLocal private static var current: Trials?

    private struct Trial: Hashable {
        let place: AnyHashable
        let type: ObjectIdentifier
    }

    /// The value, if it is of the type.
    private struct Outcome {
        var value: Any?
    }

    /// Unchecked: they are made and used by the code that decodes the value.
    private let outcomes = Locked<[Trial: Outcome]>(uncheckedState: [:])

    /// The decoder's value as a type; `nil` if it is not of that type.
    static func value<Value: Decodable>(_ type: Value.Type, of decoder: any Decoder) -> Value? {
        func decode() -> Value? { try? decoder.singleValueContainer().decode(type) }
        let ours = (decoder as? any PlaceInJSON).map { AnyHashable($0.place) }
        // Our own decoder asks by itself.
        guard ours != nil || CurrentReading.value?.reasonToStop() == nil else { return nil }
        guard let place = ours ?? PathInDocument(of: decoder).map({ AnyHashable($0) }) else { return decode() }
        guard let current else { return $current.withValue(Trials(), operation: decode) }
        let trial = Trial(place: place, type: ObjectIdentifier(type))
        if let outcome = current.outcomes.withLockUnchecked({ $0[trial] }) { return outcome.value as? Value }
        // A type that tries itself at the same place is not among its own choices.
        current.outcomes.withLockUnchecked { $0[trial] = Outcome() }
        let value = decode()
        current.outcomes.withLockUnchecked { $0[trial] = Outcome(value: value) }
        return value
    }

    /// The place of the value of another decoder, which lives as long as this.
    private struct PathInDocument: Hashable {
        private let decoder: AnyObject
        private let path: [Step]

        /// `nil` for a decoder that is no object: Foundation's is one for each document.
        init?(of decoder: any Decoder) {
            guard type(of: decoder) is AnyClass else { return nil }
            self.decoder = decoder as AnyObject
            path = decoder.codingPath.map(Step.init)
        }

        static func == (left: Self, right: Self) -> Bool { left.decoder === right.decoder && left.path == right.path }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(decoder))
            hasher.combine(path)
        }
    }

    private struct Step: Hashable {
        let name: String
        let index: Int?

        init(_ key: any CodingKey) { (name, index) = (key.stringValue, key.intValue) }
    }
}
