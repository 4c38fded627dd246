import Foundation

extension JSONValue {
    /// The value as UTF-8, without blanks (RFC 8259).
    var encoded: Data {
        var text = ""
        append(to: &text)
        return Data(text.utf8)
    }

    private func append(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .int(let value): text += String(value)
        case .double(let value): text += "\(value)"
        case .string(let value): text += jsonText(value)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.append(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                text += jsonText(member.name)
                text += ":"
                member.value.append(to: &text)
            }
            text += "}"
        }
    }
}

extension ServerResponse {
    /// A value of this server's own making.
    static func json(_ value: JSONValue, status: Int = 200, headers: HTTPFields = HTTPFields()) -> ServerResponse {
        .json(value.encoded, status: status, headers: headers)
    }

    /// An array of elements that are encoded already.
    static func json(joining elements: some Sequence<Data>, headers: HTTPFields = HTTPFields()) -> ServerResponse {
        var body = Data("[".utf8)
        for element in elements {
            if body.count > 1 { body.append(UInt8(ascii: ",")) }
            body.append(element)
        }
        body.append(UInt8(ascii: "]"))
        return .json(body, headers: headers)
    }
}
