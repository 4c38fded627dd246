/// A member of a reply, with the expression that reads it.
struct MemberPath {
    /// `page.meta?.next`, of a reply called `page`.
    private(set) var expression = "page"
    private(set) var type: SwiftType
    private(set) var isOptional = false
    /// The nullable members on the way.
    private(set) var nullable: [(declaration: Declaration, key: String)] = []
    /// Whether the last member is optional itself.
    private var endsOptional = false
    /// Whether its format or its description says that it is a URL.
    private(set) var isURL = false

    /// Follows the keys of a path, such as `meta.next`. An array on the way stands for its last element. `nil` if the
    /// reply has no such member.
    init?(_ path: String, in reply: SwiftType) {
        self.init(reply)
        if path.isEmpty { return nil }
        for key in path.split(separator: ".") {
            if case .array(let element) = type {
                if case .optional = element { return nil }
                append("last", of: element, isOptional: true)
            }
            guard let property = type.declaration?.structure?.properties.first(where: { $0.key == key }) else {
                return nil
            }
            if property.isNullable, let declaration = type.declaration { nullable.append((declaration, property.key)) }
            let name = property.isNullable ? property.nameInPages : property.escapedName
            append(name, of: property.type, isOptional: property.isOptional)
            isURL = ["uri", "url"].contains(property.format) || property.documentation?.contains(/(?i)\burl\b/) == true
        }
    }

    /// The array with the elements of a page: that at a path, or else the reply itself, or its only one.
    static func list(at path: String?, in reply: SwiftType) -> MemberPath? {
        var member: MemberPath? = MemberPath(reply)
        if let path {
            member = MemberPath(path, in: reply)
        } else if member?.type.declaration != nil {
            let keys = reply.arrayKeys
            guard keys.count == 1 else { return nil }
            member = MemberPath(keys[0], in: reply)
        }
        if case .array = member?.type { return member }
        return nil
    }

    fileprivate init(_ reply: SwiftType) {
        type = reply
        unwrap()
    }

    private mutating func append(_ name: String, of type: SwiftType, isOptional: Bool) {
        expression += "\(self.isOptional ? "?" : "").\(name)"
        endsOptional = isOptional
        self.isOptional = self.isOptional || isOptional
        self.type = type
        unwrap()
    }

    private mutating func unwrap() {
        if case .optional(let value) = type { (type, isOptional, endsOptional) = (value, true, true) }
    }

    /// The expression for what maps its value: `(page.meta?.next)`, since `map` would be that of the member otherwise.
    var optionalExpression: String { endsOptional ? expression : "(\(expression))" }

    /// Whether its value is a text or a number, which a query can have.
    var isScalar: Bool {
        switch type {
        case .string, .int, .int64, .uint64: true
        case .declared(let declaration): declaration.enumeration != nil
        default: false
        }
    }

    /// Whether it is an integer, which can be compared.
    var isInteger: Bool { [.int, .int64, .uint64].contains(type) }

    /// A value of it as the text of an item of a query.
    func text(of value: String) -> String {
        switch type {
        case .string: value
        case .declared: "\(value).queryTexts.joined()"
        default: "\"\\(\(value))\""
        }
    }
}

extension SwiftType {
    /// The members of an object that are arrays.
    var arrayKeys: [String] {
        let properties = MemberPath(self).type.declaration?.structure?.properties ?? []
        return properties.filter { if case .array = $0.type { true } else { false } }.map(\.key)
    }
}
