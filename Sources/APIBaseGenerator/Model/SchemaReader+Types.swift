import OpenAPIDocument

/// From the keywords of a schema to its type.
extension SchemaReader {
    func read(_ node: Node, at place: Place) -> Reading {
        guard node.json.object != nil else {
            if node.json.bool == nil { warn(node, "no schema, so it can be any JSON") }
            return Reading(type: .json)
        }
        if let reference = node.text("$ref") {
            guard let target = document.target(of: reference, at: node.pointer) else { return Reading(type: .json) }
            let besides = ["properties", "required", "allOf", "oneOf", "anyOf"].filter { node[$0] != nil }
            if !besides.isEmpty { warn(node, "“\(besides[0])” beside a reference is not read: put both into “allOf”") }
            var reading = self.reference(target)
            if node.isNullable { reading.isNullable = true }
            return reading
        }
        var reading = readOwn(node, at: place)
        if node.isNullable { reading.isNullable = true }
        return reading
    }

    private func readOwn(_ node: Node, at place: Place) -> Reading {
        let parts = parts(of: node)
        if !parts.isEmpty { return combination(of: parts, node, at: place) }
        let variants = (node["oneOf"] ?? node["anyOf"])?.elements ?? []
        if !variants.isEmpty, !variants.allSatisfy({ $0.isOnlyCondition }) {
            let isBase = variantsBesideKinds(of: node).isEmpty
            if !isBase, node["properties"]?.members.isEmpty == false {
                return Reading(type: structure(node, at: place))
            }
            if node["anyOf"] != nil, mayFitTogether(variants) { return Reading(type: structure(node, at: place)) }
            return choice(of: variants, node, at: place)
        }
        if let type = enumeration(node, at: place) { return Reading(type: type) }
        return Reading(type: plainType(node, at: place))
    }

    private func plainType(_ node: Node, at place: Place) -> SwiftType {
        switch node.type {
        case .several(let types):
            let variants = types.map { node.with("type", .string($0)) }
            return choice(of: variants, node, at: place).type
        case .one("object"): return object(node, at: place)
        case .one("array"): return .array(element(of: node, at: place))
        case .one("string"): return text(node)
        case .one("integer"): return integer(node)
        case .one("number"): return .double
        case .one("boolean"): return .bool
        case .one("file"): return .data
        case .one(let name):
            warn(node, "“\(name)” is no type, so it can be any JSON")
            return .json
        case .none:
            if node["properties"] != nil || node.otherMembers?.json.object != nil {
                return object(node, at: place)
            }
            if node["items"] != nil { return .array(element(of: node, at: place)) }
            return .json
        }
    }

    private func text(_ node: Node) -> SwiftType {
        switch node.text("format") {
        case "date-time": return .date
        case "byte": return .data
        default: return node.text("contentEncoding") == "base64" ? .data : .string
        }
    }

    private func integer(_ node: Node) -> SwiftType {
        // Beyond 64 bits, digits are no integer any more.
        func isBeyond(_ key: String) -> Bool { node.json[key]?.isNumber == true && node.json[key]?.integer == nil }
        if isBeyond("maximum") || isBeyond("exclusiveMaximum"), node.json["minimum"]?.integer ?? -1 >= 0 {
            return .uint64
        }
        if isBeyond("maximum") || isBeyond("minimum") { warn(node, "an integer beyond 64 bits is an error") }
        return switch node.text("format") {
        case "int64": .int64
        case "uint64": .uint64
        default: .int
        }
    }

    private func element(of node: Node, at place: Place) -> SwiftType {
        if node["prefixItems"] != nil {
            warn(node, "elements with types of their own are read as any JSON")
            return .json
        }
        guard let items = node["items"], items.json.object != nil else { return .json }
        return element(items, at: place)
    }

    /// The type of an element or a value, with a question mark if it may be null.
    private func element(_ node: Node, at place: Place) -> SwiftType {
        let type = read(node, at: place.element).optionalType
        guard type.containers < Self.depthLimit else {
            warnOfDepth(node)
            return .json
        }
        return type
    }

    /// An object: a struct if it has properties, else a dictionary.
    private func object(_ node: Node, at place: Place) -> SwiftType {
        if node["properties"]?.members.isEmpty == false { return structure(node, at: place) }
        guard let values = node.otherMembers, values.json.object?.names.isEmpty == false else {
            return .dictionary(.json)
        }
        return .dictionary(element(values, at: place))
    }
}

extension SchemaReader.Reading {
    /// The type, with a question mark if it may be null. `JSONValue` has a null of its own.
    var optionalType: SwiftType { isNullable && type != .json ? .optional(type) : type }
}

extension Node {
    enum TypeKeyword: Hashable {
        case none
        case one(String)
        case several([String])
    }

    /// The schema of the members that are not in `properties`; any JSON where several schemas may hold. `nil` if there
    /// are none.
    var otherMembers: Node? {
        let patterns = self["patternProperties"]?.members.map(\.node) ?? []
        let rest = (self["additionalProperties"] ?? self["unevaluatedProperties"]).flatMap {
            $0.json == .bool(false) ? nil : $0
        }
        let all = patterns + (rest.map { [$0] } ?? [])
        return all.count > 1 ? Node(json: .bool(true), pointer: pointer) : all.first
    }

    /// The keyword `type` without null.
    var type: TypeKeyword {
        guard let list = json["type"]?.array else {
            return text("type").map { $0 == "null" ? .none : .one($0) } ?? .none
        }
        let types = list.compactMap(\.string).filter { $0 != "null" }
        return types.count > 1 ? .several(types) : types.first.map { .one($0) } ?? .none
    }

    /// Whether the schema itself says that a value may be null, in one of the spellings.
    var isNullable: Bool {
        if flag("nullable") || isNull { return true }
        if json["type"]?.array?.contains(.string("null")) == true { return true }
        if json["enum"]?.array?.contains(.null) == true { return true }
        return ((json["oneOf"] ?? json["anyOf"])?.array ?? []).contains { Node(json: $0, pointer: "").isNull }
    }

    /// Whether null is the only value.
    var isNull: Bool {
        text("type") == "null" || json["type"]?.array == [.string("null")] || json["const"] == .some(.null)
            || json["enum"]?.array == [.null]
    }

    /// Whether it says only which members must be there, as in a choice between required members.
    var isOnlyCondition: Bool {
        guard let names = json.object?.names else { return true }
        return names.allSatisfy { $0 == "required" || $0 == "not" || Self.annotations.contains($0) }
            && !(names.isEmpty)
    }

    /// Whether it says nothing about a value.
    var isOnlyAnnotation: Bool {
        (json.object?.names ?? []).allSatisfy(Self.annotations.contains)
    }

    private static let annotations: Set<String> = [
        "description", "title", "example", "examples", "default", "deprecated", "readOnly", "writeOnly", "nullable",
        "externalDocs", "xml", "$comment",
    ]
}
