import Foundation

extension DocumentedParameter {
    /// The values in one text, as the styles `simple`, `label`, `matrix` and those with separators have them.
    func values(inText text: String, _ schemas: Schemas) -> [JSON] {
        if isJSON {
            let json = text.removingPercentEncoding.flatMap { try? JSONReader.read(Data($0.utf8)) }
            return [json ?? .string(text)]
        }
        let rest: Substring
        var separator: Character = ","
        switch style {
        case "label":
            rest = text.hasPrefix(".") ? text.dropFirst() : text[...]
            if explodes { separator = "." }
        case "matrix":
            let pairs = text.split(separator: ";").map { $0.split(separator: "=", maxSplits: 1) }
            let own = pairs.filter { $0.first.map(String.init) == name }.map { $0.count > 1 ? $0[1] : "" }
            rest = explodes && own.isEmpty ? text.dropFirst() : own.joined(separator: ";")[...]
            if explodes { separator = ";" }
        case "spaceDelimited":
            (rest, separator) = (text.replacing("%20", with: " ").replacing("+", with: " ")[...], " ")
        case "pipeDelimited":
            (rest, separator) = (text.replacing("%7C", with: "|").replacing("%7c", with: "|")[...], "|")
        default: rest = text[...]
        }
        guard let schema = schema else { return [.string(String(rest).decoded)] }
        let types = schemas.outline(of: schema).types
        let parts = rest.split(separator: separator, omittingEmptySubsequences: false).map {
            location == .header ? $0.trimmingCharacters(in: .whitespaces) : String($0)
        }
        let isPlus = location == .query || location == .cookie
        func plain(_ part: String) -> JSON { .string(isPlus ? part.decoded : part.removingPercentEncoding ?? part) }
        var values: [JSON] = []
        if types.contains(where: \.isScalar) { values.append(plain(String(rest))) }
        if types.contains(.array), !types.isAll { values.append(.array(rest.isEmpty ? [] : parts.map(plain))) }
        if types.contains(.object), !types.isAll {
            values.append(TextTree.object(parts, explodes: explodes))
        }
        return values
    }
}

extension Set<JSONType> {
    /// Whether a schema says nothing of the type.
    var isAll: Bool { count == JSONType.allCases.count }
}

extension JSONType {
    var isScalar: Bool { self != .array && self != .object }
}
