import Foundation

extension DocumentedParameter {
    /// The values in one text, as the styles `simple`, `label`, `matrix` and those with separators have them.
    func values(inText text: String) -> [JSON] {
        let decode: (String) -> String = { [location] in
            location == .query ? $0.decoded : location == .header ? $0 : $0.removingPercentEncoding ?? $0
        }
        if isJSON { return [(try? JSONReader.read(Data(decode(text).utf8))) ?? .string(text)] }
        let rest: Substring
        var separators = location == .header ? [","] : [",", "%2C", "%2c"]
        switch style {
        case "label":
            rest = text.hasPrefix(".") ? text.dropFirst() : text[...]
            if explodes { separators = ["."] }
        case "matrix":
            let pairs = text.split(separator: ";").map { $0.split(separator: "=", maxSplits: 1) }
            let own = pairs.filter { $0.first.map(String.init) == name }.map { $0.count > 1 ? $0[1] : "" }
            rest = explodes && own.isEmpty ? text.dropFirst() : own.joined(separator: ";")[...]
            if explodes { separators = [";"] }
        case "spaceDelimited": (rest, separators) = (text[...], ["%20", "+", " "])
        case "pipeDelimited": (rest, separators) = (text[...], ["%7C", "%7c", "|"])
        default: rest = text[...]
        }
        let types = outline.types
        var values: [JSON] = []
        if types.contains(where: \.isScalar) { values.append(.string(decode(String(rest)))) }
        guard !types.isAll else { return values }
        // A comma that is escaped may be a separator as well: some clients join elements before they escape.
        let hasTwoReadings = separators[0] == "," && location != .header && rest.contains("%")
        for separators in hasTwoReadings ? [separators, [","]] : [separators] {
            var plain = String(rest)
            for separator in separators.dropFirst() { plain = plain.replacing(separator, with: separators[0]) }
            let parts = plain.split(separator: separators[0], omittingEmptySubsequences: false).map {
                decode($0.trimmingCharacters(in: .whitespaces))
            }
            if types.contains(.array) { values.append(.array(rest.isEmpty ? [] : parts.map(JSON.string))) }
            if types.contains(.object) { values.append(TextTree.object(parts, explodes: explodes)) }
        }
        return values
    }
}
