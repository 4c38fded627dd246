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
        guard let (style, explodes) = encoding?.style(in: .query), !explodes, let text = tree.string, let schema,
            schemas.outline(of: schema).types.contains(.array)
        else { return TextTree.fitted(tree, to: schema, by: schemas) }
        let separator = ["spaceDelimited": " ", "pipeDelimited": "|"][style] ?? ","
        return .array(text.split(separator: separator).map { .string(String($0)) })
    }

    /// The names and texts of the parts of a multipart body (RFC 7578). In place of a file is its number, unless it
    /// is JSON.
    private static func parts(of body: Data, _ boundary: String) -> TextTree.Items {
        pieces(of: Array(body), boundary).enumerated().compactMap { number, piece in
            let start = Data(piece.prefix(16 << 10))
            guard let end = start.range(of: Data("\r\n\r\n".utf8)) else { return nil }
            let lines = String(decoding: start[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
            let fields = lines.map { $0.split(separator: ":", maxSplits: 1) }.filter { $0.count == 2 }.map {
                (name: $0[0].lowercased(), value: String($0[1]))
            }
            let head = Message(headers: fields, body: nil)
            guard let name = head.parameter("name", of: "content-disposition") else { return nil }
            let isFile = ["filename", "filename*"].contains { head.parameter($0, of: "content-disposition") != nil }
            let isText = !isFile || head.mediaType?.isJSON == true
            return (name, isText ? String(decoding: piece.dropFirst(end.upperBound), as: UTF8.self) : "file \(number)")
        }
    }

    /// The pieces between the delimiters: each of these is a line of its own, with the line break before it (RFC 2046,
    /// section 5.1.1). The last piece of a body that is cut off counts as well.
    private static func pieces(of body: [UInt8], _ boundary: String) -> [ArraySlice<UInt8>] {
        guard !boundary.isEmpty else { return [] }
        let delimiter = Array("--\(boundary)".utf8)
        var (pieces, start, line) = ([ArraySlice<UInt8>](), Int?.none, 0)
        while line < body.count {
            let next = body[line...].firstIndex(of: 0x0A).map { $0 + 1 } ?? body.count
            let rest = body[line..<next].dropFirst(delimiter.count)
            let isLast = rest.starts(with: "--".utf8)
            let followsBreak = body[..<line].suffix(2).elementsEqual([0x0D, 0x0A].prefix(line))
            if body[line..<next].starts(with: delimiter), followsBreak,
                isLast || rest.allSatisfy({ [0x20, 0x09, 0x0D, 0x0A].contains($0) })
            {
                if let start { pieces.append(body[start..<max(start, line - 2)]) }
                if isLast { return pieces }
                start = next
            }
            line = next
        }
        return pieces + (start.map { [body[$0...]] } ?? [])
    }
}
