import Foundation
import LoopbackServer

extension JSONValue: Decodable {
    /// Decodes any value. Members are sorted by name, because decoders do not report their order.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let members = try? container.decode([String: JSONValue].self) {
            self = .object(members.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: $0.value) })
        } else if let elements = try? container.decode([JSONValue].self) {
            self = .array(elements)
        } else {
            self = try Self.scalar(container)
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int.self) { return .int(value) }
        if let value = try? container.decode(Double.self) { return .double(value) }
        return .string(try container.decode(String.self))
    }
}

extension ServerRequest {
    /// The JSON object in the body. An empty body gives an empty object, if it is optional.
    func jsonObject(isOptional: Bool = false) throws -> JSONValue {
        if isOptional, body.isEmpty { return [:] }
        let mediaType = (headers["Content-Type"] ?? "").prefix { $0 != ";" }.trimmingBlanks().lowercased()
        guard mediaType == "application/json" || mediaType.hasSuffix("+json") else {
            throw HTTPError(415, "The body must be \"application/json\", not \"\(mediaType)\".")
        }
        guard !body.isEmpty else { throw HTTPError(400, "The body is empty instead of a JSON object.") }
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: body) else {
            throw HTTPError(400, "The body is not valid JSON.")
        }
        guard case .object = value else { throw HTTPError(400, "The body is not a JSON object.") }
        return value
    }
}

extension JSONValue {
    /// The text of a required member.
    func text(_ name: String) throws -> String {
        guard let value = self[name], value != .null else { throw HTTPError(400, "Value required for key '\(name)'.") }
        guard case .string(let text) = value else {
            throw HTTPError(400, "Value was not of type 'String' for key '\(name)'.")
        }
        return text
    }
}
