import Foundation

/// The fields of a form as an object of texts.
struct FormBody {
    let value: JSON

    /// Reads a form; `nil` for a body of another type.
    init?(_ message: Message, _ type: MediaType, _ media: Node, _ schemas: Schemas) {
        let items: TextTree.Items
        switch type.text {
        case "application/x-www-form-urlencoded":
            items = SentRequest.items(String(decoding: message.body ?? Data(), as: UTF8.self), "&").map {
                ($0.name, $0.value.decoded)
            }
        case "multipart/form-data":
            items = Self.parts(of: message.body ?? Data(), message.parameter("boundary", of: "content-type") ?? "")
        default: return nil
        }
        let declared = media["schema"].map(schemas.outline)?.members ?? [:]
        let groups = items.grouped { declared[$0.name] != nil ? $0.name : String($0.name.prefix { $0 != "[" }) }
        value = .members(
            groups.compactMap { name, items in
                TextTree.value(of: name, in: items).map {
                    (name, Self.member($0, declared[name], media["encoding"]?[name], schemas))
                }
            }
        )
    }

    /// A field with the style of its encoding.
    private static func member(_ tree: JSON, _ schema: Node?, _ encoding: Node?, _ schemas: Schemas) -> JSON {
        guard encoding?.json["explode"]?.bool == false, let text = tree.string, let schema,
            schemas.outline(of: schema).types.contains(.array)
        else { return TextTree.fitted(tree, to: schema, by: schemas) }
        let separators = ["spaceDelimited": " ", "pipeDelimited": "|"]
        let separator = separators[encoding?.text("style") ?? ""] ?? ","
        return .array(text.split(separator: separator).map { .string(String($0)) })
    }

    /// The names and texts of the parts of a multipart body (RFC 7578). A file has none, unless it is JSON.
    private static func parts(of body: Data, _ boundary: String) -> TextTree.Items {
        pieces(of: body, boundary).compactMap { piece in
            guard let end = piece.prefix(16 << 10).range(of: Data("\r\n\r\n".utf8)) else { return nil }
            let lines = String(decoding: piece[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
            let fields = lines.map { $0.split(separator: ":", maxSplits: 1) }.filter { $0.count == 2 }.map {
                (name: $0[0].lowercased(), value: String($0[1]))
            }
            let head = Message(headers: fields, body: nil)
            guard let name = head.parameter("name", of: "content-disposition") else { return nil }
            let isFile = ["filename", "filename*"].contains { head.parameter($0, of: "content-disposition") != nil }
            let isText = !isFile || head.mediaType?.isJSON == true
            return (name, isText ? String(decoding: piece[end.upperBound...], as: UTF8.self) : "")
        }
    }

    /// The pieces between the delimiters: each of these is a line of its own, with the line break before it (RFC
    /// 2046, section 5.1.1). The last piece of a body that is cut off counts as well.
    private static func pieces(of body: Data, _ boundary: String) -> [Data] {
        guard !boundary.isEmpty else { return [] }
        let (delimiter, body) = (Data("\r\n--\(boundary)".utf8), Data("\r\n".utf8) + body)
        var (pieces, place, start) = ([Data](), 0, Int?.none)
        while let found = body[place...].range(of: delimiter) {
            place = found.upperBound
            let isLast = body[place...].starts(with: "--".utf8)
            let rest = body[place...].drop { $0 == 0x20 || $0 == 0x09 }
            guard isLast || rest.isEmpty || rest.starts(with: "\r\n".utf8) else { continue }
            if let start { pieces.append(body[start..<found.lowerBound]) }
            if isLast { return pieces }
            start = place
        }
        return pieces + (start.map { [body[$0...]] } ?? [])
    }
}
