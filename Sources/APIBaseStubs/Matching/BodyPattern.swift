public import Foundation

/// A condition on the body of a request.
public struct BodyPattern: Sendable {
    /// Returns the mismatch of a call's body; nil if it matches.
    let difference: @Sendable (StubbedCall) -> Mismatch?

    /// Matches JSON equal to this text. The order of members and the spelling of numbers do not matter.
    public static func json(_ text: String) -> BodyPattern { json(Data(text.utf8), isPart: false) }

    /// Matches JSON equal to what `value` encodes to.
    ///
    /// The value is encoded by `encoder`; by default by the ``/APIBaseKit/JSONAPI/encoder`` of the request object, or
    /// by a new encoder if the object is no `JSONAPI`.
    public static func json(_ value: some Encodable & Sendable, encoder: JSONEncoder? = nil) -> BodyPattern {
        BodyPattern { call in json(encoding: value, encoder ?? call.encoder).difference(call) }
    }

    /// The same for a value that is not `Sendable`. It is encoded immediately, by `encoder` or by a new encoder.
    public static func json(_ value: some Encodable, encoder: JSONEncoder? = nil) -> BodyPattern {
        json(encoding: value, encoder ?? JSONEncoder())
    }

    /// Matches a JSON object that has at least the members of this text, at every level.
    public static func json(containing text: String) -> BodyPattern { json(Data(text.utf8), isPart: true) }

    /// Matches a form (`application/x-www-form-urlencoded`) in which each of these fields has a matching value.
    public static func form(_ fields: [String: ValuePattern]) -> BodyPattern {
        BodyPattern { call in
            Mismatch.all(in: fields, kind: "form field") { call.formField($0) }.first
        }
    }

    /// Matches exactly these bytes.
    public static func data(_ data: Data) -> BodyPattern {
        BodyPattern { call in
            call.body == data
                ? nil : Mismatch("body", expected: "\(data.count) bytes", found: "\(call.body.count) others")
        }
    }

    /// Matches if there is no body, or an empty one.
    public static let empty = BodyPattern { call in
        call.body.isEmpty ? nil : Mismatch("body", expected: "nothing", found: "\(call.body.count) bytes")
    }

    /// Matches the bodies that `isMatch` accepts. Messages show `description` for the expected body.
    public static func matching(
        _ description: String,
        _ isMatch: @escaping @Sendable (Data) -> Bool
    ) -> BodyPattern {
        BodyPattern { call in
            isMatch(call.body) ? nil : Mismatch("body", expected: description, found: "\(call.body.count) others")
        }
    }

    private static func json(encoding value: some Encodable, _ encoder: JSONEncoder) -> BodyPattern {
        do {
            return json(try encoder.encode(value), isPart: false)
        } catch {
            return never(expected: "what cannot be encoded (\(String(describing: error)))")
        }
    }

    private static func json(_ expected: Data, isPart: Bool) -> BodyPattern {
        guard let tree = JSONTree(expected) else { return never(expected: "what the stub gives, which is not JSON") }
        return BodyPattern { call in
            guard let found = JSONTree(call.body) else {
                let size = call.body.isEmpty ? "nothing" : "\(call.body.count) bytes"
                return Mismatch("body", expected: "JSON", found: size)
            }
            return tree.difference(from: found, isPart: isPart).map {
                Mismatch(at: $0.path, expected: $0.here, found: $0.there)
            }
        }
    }

    private static func never(expected: String) -> BodyPattern {
        BodyPattern { _ in Mismatch("body", expected: expected, found: "bytes") }
    }
}
