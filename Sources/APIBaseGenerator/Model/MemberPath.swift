/// A member of a reply, with the expression that reads it.
struct MemberPath {
    /// `page.meta?.next`, of a reply called `page`.
    private(set) var expression = "page"
    private(set) var type: SwiftType
    private(set) var isOptional = false
    /// The format of its schema.
    private(set) var format: String?

    /// Follows the keys of a path, such as `meta.next`. An array on the way stands for its last element. `nil` if the
    /// reply has no such member.
    init?(_ path: String, in reply: SwiftType) {
        type = reply
        unwrap()
        if path.isEmpty { return nil }
        for key in path.split(separator: ".") {
            if case .array(let element) = type {
                if case .optional = element { return nil }
                append("last", of: element, isOptional: true)
            }
            guard let property = type.declaration?.structure?.properties.first(where: { $0.key == key }) else {
                return nil
            }
            append(property.escapedName, of: property.type, isOptional: property.isOptional)
            format = property.format
        }
    }

    private mutating func append(_ name: String, of type: SwiftType, isOptional: Bool) {
        expression += "\(self.isOptional ? "?" : "").\(name)"
        self.isOptional = self.isOptional || isOptional
        self.type = type
        unwrap()
    }

    private mutating func unwrap() {
        if case .optional(let value) = type { (type, isOptional) = (value, true) }
    }

    /// Whether its value is a text or a number, which a query can have.
    var isScalar: Bool {
        switch type {
        case .string, .int, .int64, .uint64: true
        case .declared(let declaration): declaration.enumeration != nil
        default: false
        }
    }

    /// A value of it as the text of an item of a query.
    func text(of value: String) -> String {
        switch type {
        case .string: value
        case .declared: "\(value).queryTexts.joined()"
        default: "\"\\(\(value))\""
        }
    }
}
