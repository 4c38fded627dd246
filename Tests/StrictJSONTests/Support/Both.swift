import Foundation
import StrictJSON
import Testing

/// A document at both decoders.
struct Both<Value> {
    let ours: Outcome<Value>
    let theirs: Outcome<Value>

    init(_ type: Value.Type, _ json: String, set: (JSONDecoder) -> Void = { _ in }) throws where Value: Decodable {
        try self.init(type, Data(json.utf8), set: set)
    }

    init(_ type: Value.Type, _ data: Data, set: (JSONDecoder) -> Void = { _ in }) throws where Value: Decodable {
        let foundation = JSONDecoder()
        set(foundation)
        let strict = try #require(StrictJSONDecoder(settingsOf: foundation))
        ours = Outcome { try strict.decode(type, from: data) }
        theirs = Outcome { try foundation.decode(type, from: data) }
    }

    /// How ours failed; nil if it has a value.
    var failure: Failure? {
        if case .failure(let failure) = ours { failure } else { nil }
    }

    /// Our value; nil if it failed.
    var value: Value? {
        if case .value(let value) = ours { value } else { nil }
    }

    /// How Foundation's failed; nil if it has a value.
    var theirFailure: Failure? {
        if case .failure(let failure) = theirs { failure } else { nil }
    }
}

/// Expects the same value of both decoders.
func expectSameValue<Value: Decodable & Equatable>(
    _ type: Value.Type,
    _ json: String,
    _ expected: Value? = nil,
    set: (JSONDecoder) -> Void = { _ in },
    at location: SourceLocation = #_sourceLocation
) throws {
    let both = try Both(type, json, set: set)
    let ours = try #require(both.value, "\(both.ours)", sourceLocation: location)
    guard case .value(let theirs) = both.theirs else {
        Issue.record("Foundation refuses: \(both.theirs)", sourceLocation: location)
        return
    }
    #expect(ours == theirs, sourceLocation: location)
    if let expected { #expect(ours == expected, sourceLocation: location) }
}

/// Expects the same kind of error at the same place of both decoders.
func expectSameFailure<Value: Decodable>(
    _ type: Value.Type,
    _ json: String,
    _ kind: String,
    _ path: [String] = [],
    set: (JSONDecoder) -> Void = { _ in },
    at location: SourceLocation = #_sourceLocation
) throws {
    let both = try Both(type, json, set: set)
    #expect(both.failure?.description == both.theirFailure?.description, sourceLocation: location)
    #expect(both.failure?.kind == kind, sourceLocation: location)
    #expect(both.failure?.path == path, sourceLocation: location)
}
