/// A call or a reply that is not as the API's document says.
package struct ContractFinding: Sendable, Hashable {
    /// The kind and place of the difference, without the reason.
    package let deviation: Deviation
    /// The operation, such as `GET /books/{id}`; the method and the path of the call if the document has no such
    /// operation.
    package let operation: String
    /// The status of the reply; `nil` for a finding about the request.
    package let status: Int?
    /// The place that does not fit, and why, such as `body #/pages is the string “7”, expected an integer`.
    package let reason: String
    /// The JSON pointer of what the document says, such as `#/components/schemas/Book/properties/pages/type`.
    package let pointer: String
    /// The name of the document's file.
    package let document: String
}

extension ContractFinding: CustomStringConvertible {
    /// All in one line: the operation, what does not fit, and the place in the document.
    package var description: String {
        let side = status.map { "reply \($0)" } ?? "request"
        return "\(operation), \(side): \(reason). See \(document) \(pointer)"
    }
}

/// A way in which a call or a reply can deviate from the API's document.
public enum Deviation: Sendable, Hashable {
    /// The document has no such operation: `.undocumentedOperation("POST /v2/token")`, with the whole path of the
    /// call's URL. A `*` stands for any segment.
    case undocumentedOperation(String)
    /// A query item that the operation does not have, by its name.
    case undocumentedParameter(String)
    /// A required parameter is missing: a query item, a header or a cookie, by its name.
    case missingParameter(String)
    /// The value of a parameter does not fit its schema, by its name.
    case parameter(String)
    /// A body where the operation, or its reply of that status, has none.
    case undocumentedBody
    /// The body that the operation requires is missing.
    case missingBody
    /// A body of another media type: `.undocumentedMediaType("text/html")`; an empty one if the body has none.
    case undocumentedMediaType(String)
    /// A value in a body that does not fit its schema, by its JSON pointer: `.body("#/items/0/price")`. A `*` stands
    /// for any name or index.
    case body(String)
    /// A member of an object that its schema does not name, by its JSON pointer, in which a `*` stands for any name or
    /// index.
    case unknownMember(String)
    /// A status that the operation does not have: `.undocumentedStatus(503)`.
    case undocumentedStatus(Int)
    /// A header that the reply requires is missing, by its name.
    case missingHeader(String)
    /// The value of a header of the reply does not fit its schema, by its name.
    case header(String)
}

extension Deviation {
    /// Whether this is, or stands for, another one.
    package func includes(_ other: Deviation) -> Bool {
        switch (self, other) {
        case (.body(let pattern), .body(let pointer)), (.unknownMember(let pattern), .unknownMember(let pointer)),
            (.undocumentedOperation(let pattern), .undocumentedOperation(let pointer)):
            let (parts, others) = (pattern.split(separator: "/"), pointer.split(separator: "/"))
            return parts.count == others.count && zip(parts, others).allSatisfy { $0 == "*" || $0 == $1 }
        case (.missingHeader(let name), .missingHeader(let other)), (.header(let name), .header(let other)),
            (.missingParameter(let name), .missingParameter(let other)), (.parameter(let name), .parameter(let other)):
            return name.lowercased() == other.lowercased()
        default: return self == other
        }
    }
}
