import OpenAPIDocument

/// Writes what of a struct's coding the compiler does not write by itself.
struct StructCoding {
    let structure: Structure
    let access: String

    func write(to text: inout SwiftText) {
        guard structure.additional != nil || structure.properties.contains(where: { $0.key != $0.name }) else { return }
        text.gap()
        writeKeys(to: &text)
        guard let additional = structure.additional else { return }
        text.gap()
        writeDecoding(additional, to: &text)
        text.gap()
        writeEncoding(to: &text)
    }

    /// The words before the functions of `Codable`. In a `nonisolated` type they need no word.
    private var nonisolated: String { access + (structure.hasWrappers ? "nonisolated " : "") }

    private func writeKeys(to text: inout SwiftText) {
        let protocols = structure.additional == nil ? "String, CodingKey" : "String, CodingKey, CaseIterable"
        text.block("private nonisolated enum CodingKeys: \(protocols)") { text in
            var same: [String] = []
            func writeSame(_ text: inout SwiftText) {
                if !same.isEmpty { text.line("case \(same.joined(separator: ", "))") }
                same = []
            }
            for property in structure.properties {
                if property.key == property.name {
                    let length = same.reduce(5) { $0 + $1.count + 2 } + property.escapedName.count
                    if length > text.room { writeSame(&text) }
                    same.append(property.escapedName)
                } else {
                    writeSame(&text)
                    text.line("case \(property.escapedName) = \(Literal.string(property.key))")
                }
            }
            writeSame(&text)
        }
    }

    private func writeDecoding(_ additional: SwiftType, to text: inout SwiftText) {
        text.block("\(nonisolated)init(from decoder: any Decoder) throws") { text in
            text.line("let container = try decoder.container(keyedBy: CodingKeys.self)")
            for property in structure.properties {
                let (name, key) = (property.escapedName, ".\(property.escapedName)")
                let type = property.type.text
                if let wrapper = property.wrapperType {
                    text.line("self._\(property.name) = try container.decode(\(wrapper).self, forKey: \(key))")
                } else {
                    let function = property.isRequired ? "decode" : "decodeIfPresent"
                    text.line("self.\(name) = try container.\(function)(\(type).self, forKey: \(key))")
                }
            }
            text.call(
                "self.\(structure.additionalName) = try decoder.members",
                "except: CodingKeys.allCases.map(\\.rawValue)"
            )
        }
    }

    private func writeEncoding(to text: inout SwiftText) {
        text.block("\(nonisolated)func encode(to encoder: any Encoder) throws") { text in
            text.line("try self.\(structure.additionalName).encode(to: encoder)")
            text.line("var container = encoder.container(keyedBy: CodingKeys.self)")
            for property in structure.properties {
                let isWrapped = property.wrapperType != nil
                let value = isWrapped ? "self._\(property.name)" : "self.\(property.escapedName)"
                let function = property.isRequired || isWrapped ? "encode" : "encodeIfPresent"
                text.line("try container.\(function)(\(value), forKey: .\(property.escapedName))")
            }
        }
    }
}
