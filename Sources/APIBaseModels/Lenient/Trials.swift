import Basics
internal import StrictJSON

/// The attempts to decode parts of one value: whether a part is of a type, and its value.
///
/// If a choice is in another, each of whose types is tried, the time would double with each level. So each part of the
/// value is decoded as each type once.
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

    /// The decoder's value as a type; `nil` if it is none.
    static func value<Value: Decodable>(_ type: Value.Type, of decoder: any Decoder) -> Value? {
        func decode() -> Value? { try? decoder.singleValueContainer().decode(type) }
        guard DecodingStop.reason?() == nil else { return nil }
        guard let current else { return $current.withValue(Trials(), operation: decode) }
        let trial = Trial(place: place(of: decoder), type: ObjectIdentifier(type))
        if let outcome = current.outcomes.withLockUnchecked({ $0[trial] }) { return outcome.value as? Value }
        // A type that tries itself at the same place is none of its own choices.
        current.outcomes.withLockUnchecked { $0[trial] = Outcome() }
        let value = decode()
        current.outcomes.withLockUnchecked { $0[trial] = Outcome(value: value) }
        return value
    }

    private static func place(of decoder: any Decoder) -> AnyHashable {
        if let decoder = decoder as? any PlaceInJSON { return AnyHashable(decoder.place) }
        return AnyHashable(decoder.codingPath.map(Step.init))
    }

    /// A step to a place in the value of another decoder.
    private struct Step: Hashable {
        let name: String
        let index: Int?

        init(_ key: any CodingKey) { (name, index) = (key.stringValue, key.intValue) }
    }
}
