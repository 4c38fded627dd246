import Foundation

/// The fields of a form as an object of texts.
struct FormBody {
    let value: JSON

    /// Reads a form; `nil` for a body of another type.
    init?(_ message: Message, _ type: MediaType, _ media: Node, _ contract: Contract) {
        let items: TextTree.Items
        switch type.text {
        case "application/x-www-form-urlencoded":
            items = String(decoding: message.body ?? Data(), as: UTF8.self).split(separator: "&").map { field in
                let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                return (pair[0].decoded, pair.count > 1 ? pair[1] : "")
            }
        case "multipart/form-data":
            let parts = MultipartBody(message.body ?? Data(), boundary: message.mediaTypeParameter("boundary") ?? "")
                .parts
            items = parts.map { ($0.name, $0.text.percentEncoded) }
        default: return nil
        }
        guard let schema = media["schema"] else {
            value = .members([])
            return
        }
        value = Self.value(of: items, schema, media["encoding"], contract)
    }

    private static func value(of items: TextTree.Items, _ schema: Node, _ encoding: Node?, _ contract: Contract) -> JSON
    {
        let declared = contract.schemas.outline(of: schema).members
        let names = items.map { item in
            declared[item.name] != nil ? item.name : String(item.name.prefix { $0 != "[" })
        }
        return .members(
            names.unique().compactMap { name in
                TextTree.value(of: name, in: items).map { tree in
                    (name, member(tree, declared[name], encoding?[name], contract.schemas))
                }
            }
        )
    }

    /// A field with the style of its encoding, or as JSON where it is that.
    private static func member(_ tree: JSON, _ schema: Node?, _ encoding: Node?, _ schemas: Schemas) -> JSON {
        guard let schema, case .string(let text) = tree else { return TextTree.fitted(tree, to: schema, by: schemas) }
        let outline = schemas.outline(of: schema)
        if outline.types.contains(where: \.isScalar) { return tree }
        if encoding?.json["explode"]?.bool == false, outline.types.contains(.array) {
            return .array(text.split(separator: ",").map { .string(String($0)) })
        }
        // Objects are JSON by default (OpenAPI 3.1, section 4.8.14.5).
        if let json = try? JSONReader.read(Data(text.utf8)), json.object != nil || json.array != nil { return json }
        return TextTree.fitted(tree, to: schema, by: schemas)
    }
}

/// A multipart body (RFC 7578).
struct MultipartBody {
    let parts: [(name: String, text: String)]

    init(_ body: Data, boundary: String) {
        guard !boundary.isEmpty else {
            parts = []
            return
        }
        let delimiter = Data("--\(boundary)".utf8)
        var (pieces, rest) = ([Data](), body[...])
        while let place = rest.range(of: delimiter) {
            pieces.append(rest[..<place.lowerBound])
            rest = rest[place.upperBound...]
        }
        parts = pieces.dropFirst().compactMap { piece in
            guard let end = piece.range(of: Data("\r\n\r\n".utf8)) else { return nil }
            let head = String(decoding: piece[..<end.lowerBound], as: UTF8.self)
            guard let name = head.firstMatch(of: /(?i)content-disposition:[^\r\n]*[; ]name="([^"]*)"/)?.1 else {
                return nil
            }
            let isFile = head.contains(/(?i)filename\*?=/)
            return (String(name), isFile ? "" : String(decoding: piece[end.upperBound...].dropLast(2), as: UTF8.self))
        }
    }
}

extension String {
    /// The text so that decoding it as that of a form gives it back.
    fileprivate var percentEncoded: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self }
}
