public import Foundation

/// A condition on the body of a request.
public struct BodyPattern: Sendable {
    /// The mismatch of a call's body; nil if it matches.
    let difference: @Sendable (StubbedCall) -> Mismatch?

    /// A JSON value equal to this text's: the order of members and the spelling of numbers do not count.
    public static func json(_ text: String) -> BodyPattern { json(Data(text.utf8), isPart: false) }

    /// A JSON value equal to what `value` encodes to by `encoder`, or else by the ``/APIBaseKit/JSONAPI/encoder`` of the request
    /// object, or by a new one where that is of no `JSONAPI`.
    public static func json(_ value: some Encodable & Sendable, encoder: JSONEncoder? = nil) -> BodyPattern {
        BodyPattern { call in json(encoding: value, encoder ?? call.encoder).difference(call) }
    }

    /// The same for a value that may change and so is encoded now, by `encoder` or by a new one.
    public static func json(_ value: some Encodable, encoder: JSONEncoder? = nil) -> BodyPattern {
        json(encoding: value, encoder ?? JSONEncoder())
    }

    /// A JSON object with at least the members of this text's, at every level.
    public static func json(containing text: String) -> BodyPattern { json(Data(text.utf8), isPart: true) }

    /// A form (`application/x-www-form-urlencoded`) in which each of these fields has such a value.
    public static func form(_ fields: [String: ValuePattern]) -> BodyPattern {
        BodyPattern { call in
            Mismatch.all(in: fields, kind: "form field") { call.formField($0) }.first
        }
    }

    /// Exactly these bytes.
    public static func data(_ data: Data) -> BodyPattern {
        BodyPattern { call in
            call.body == data
                ? nil : Mismatch("body", expected: "\(data.count) bytes", found: "\(call.body.count) others")
        }
    }

    /// No body, or an empty one.
    public static let empty = BodyPattern { call in
        call.body.isEmpty ? nil : Mismatch("body", expected: "nothing", found: "\(call.body.count) bytes")
    }

    /// A pattern for bodies that `isMatch` accepts; `description` says in a message what those are.
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
            let reason = String(describing: error)
            return BodyPattern { _ in Mismatch("body", expected: "what cannot be encoded (\(reason))", found: "bytes") }
        }
    }

    private static func json(_ expected: Data, isPart: Bool) -> BodyPattern {
        guard let tree = JSONTree(expected) else {
            return BodyPattern { _ in
                Mismatch("body", expected: "what the stub gives, which is not JSON", found: "bytes")
            }
        }
        return BodyPattern { call in
            guard let found = JSONTree(call.body) else {
                return Mismatch(
                    "body",
                    expected: "JSON",
                    found: call.body.isEmpty ? "nothing" : "\(call.body.count) bytes"
                )
            }
            return tree.difference(from: found, isPart: isPart).map {
                Mismatch(at: $0.path, expected: $0.here, found: $0.there)
            }
        }
    }
}
