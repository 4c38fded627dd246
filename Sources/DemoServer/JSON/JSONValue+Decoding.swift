import Foundation

extension JSONValue: Decodable {
    /// Reads any value. The members of an object come out in the order of their names, as decoders do not say in which
    /// order they came.
    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: AnyKey.self) {
            let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
            self = .object(
                try keys.map { Member(name: $0.stringValue, value: try container.decode(JSONValue.self, forKey: $0)) }
            )
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            self = .array(elements)
        } else {
            self = try Self.scalar(try decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int.self) { return .int(value) }
        if let value = try? container.decode(Double.self) { return .double(value) }
        return .string(try container.decode(String.self))
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension ServerRequest {
    /// The JSON object in the body; an empty one where there is no body and it is optional. 415 where the body is not
    /// said to be JSON, 400 where it is not.
    func jsonObject(isOptional: Bool = false) throws(HTTPFault) -> JSONValue {
        if isOptional, body.isEmpty { return [:] }
        let mediaType = (headers["Content-Type"] ?? "").prefix { $0 != ";" }.trimmingBlanks().lowercased()
        guard mediaType == "application/json" || mediaType.hasSuffix("+json") else {
            throw HTTPFault(415, "The body must be \"application/json\", not \"\(mediaType)\".")
        }
        guard !body.isEmpty else { throw HTTPFault(400, "The body is empty instead of a JSON object.") }
        let value: JSONValue
        do {
            value = try JSONDecoder().decode(JSONValue.self, from: body)
        } catch {
            throw HTTPFault(400, "The body is not valid JSON.")
        }
        guard case .object = value else { throw HTTPFault(400, "The body is not a JSON object.") }
        return value
    }
}

extension JSONValue {
    /// The text of a member that has to be there.
    func text(_ name: String) throws(HTTPFault) -> String {
        guard let value = self[name], value != .null else { throw HTTPFault(400, "Value required for key '\(name)'.") }
        guard case .string(let text) = value else {
            throw HTTPFault(400, "Value was not of type 'String' for key '\(name)'.")
        }
        return text
    }
}
