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
            items = Self.parts(of: message.body ?? Data(), message.mediaTypeParameter("boundary") ?? "")
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
        let delimiter = Data("--\(boundary)".utf8)
        var (pieces, rest) = ([Data](), body[...])
        while !boundary.isEmpty, let place = rest.range(of: delimiter) {
            pieces.append(rest[..<place.lowerBound])
            rest = rest[place.upperBound...]
        }
        return pieces.dropFirst().compactMap { piece in
            guard let end = piece.range(of: Data("\r\n\r\n".utf8)) else { return nil }
            let head = String(decoding: piece[..<end.lowerBound], as: UTF8.self)
            let pattern = /(?i)content-disposition:[^\r\n]*[; ]name=(?:"([^"]*)"|([^;\s]+))/
            guard let match = head.firstMatch(of: pattern), let name = match.1 ?? match.2 else { return nil }
            let isFile = head.contains(/(?i)filename\*?=/) && !head.contains(/(?i)content-type:[^\r\n]*json/)
            return (String(name), isFile ? "" : String(decoding: piece[end.upperBound...].dropLast(2), as: UTF8.self))
        }
    }
}
