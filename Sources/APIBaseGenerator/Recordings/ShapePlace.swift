import Foundation
import OpenAPIDocument

/// Where in the messages of a recording a value stands, and what that says of it.
struct ShapePlace: Hashable {
    /// One of what stands there, by the word of the path, or by the name of the member: `User`.
    var noun: String
    /// Whether the noun is that of the path.
    var isOwn = false
    var isSent = false
    /// Whether it is all of a message, but for envelopes around it.
    private var isWhole = false
    /// Whether several are asked for, by a GET whose path has no value at its end.
    private var isList = false

    init(noun: String) { self.noun = noun }

    /// The place of all of a message: of a `User` for `/users`, `/users/{userId}` and `/users/me`; of an `Error` for a
    /// failure.
    init(_ method: String, _ path: String, isSent: Bool, isFailure: Bool = false) {
        let words = path.split(separator: "/").filter { !$0.hasPrefix("{") }
        let word = words.last { !["me", "self", "current"].contains($0.lowercased()) } ?? words.last ?? ""
        noun = isFailure ? "Error" : Self.noun(String(word.prefix { $0 != "." }))
        (isOwn, self.isSent, isWhole, isList) = (true, isSent, true, method == "GET" && !path.hasSuffix("}"))
    }

    private static func noun(_ text: String) -> String {
        let noun = Identifier.singular(Identifier.type(text.removingPercentEncoding ?? text))
        return Identifier.isName(noun) ? noun : "Item"
    }

    /// That of the elements of a list.
    var ofElement: ShapePlace {
        var place = self
        place.isWhole = false
        return place
    }

    /// Those of the members of an object.
    func members(of object: Shape) -> [(name: String, shape: Shape, place: ShapePlace)] {
        let isEnvelope = isEnvelope(object)
        return object.namedMembers.map { name, shape in
            var place = ofElement
            // The place of a text or a number says nothing, and there may be many.
            if shape.holdsObjects {
                if isEnvelope, isContent(name) {
                    place = self
                } else if !PlainWords.isValue(name) {
                    (place.noun, place.isOwn) = (Self.noun(name), false)
                }
            }
            return (name, shape, place)
        }
    }

    /// Whether an object can be a type of its own: no envelope, and no dictionary.
    func isShareable(_ object: Shape) -> Bool {
        !object.names.isEmpty && !isEnvelope(object) && !object.names.contains(where: PlainWords.isValue)
    }

    /// Whether the message is in a member: `{"data": [{"id": 1}], "total": 1}`.
    private func isEnvelope(_ object: Shape) -> Bool {
        isWhole && !["id", "_id", "uuid"].contains { object.members[$0] != nil }
            && object.members.contains { $0.value.holdsObjects && isContent($0.key) }
    }

    private func isContent(_ name: String) -> Bool {
        let word = name.lowercased()
        return Self.contentNames.contains(word) || isList && Self.listNames.contains(word) || Self.noun(name) == noun
    }

    private static let contentNames: Set<String> = ["data", "payload", "response", "result", "results"]
    /// An order has `items` too.
    private static let listNames: Set<String> = ["content", "entries", "items", "list", "objects", "records", "rows"]
}
