/// A schema as the list of what it demands. Schemas name one another by their numbers in a table.
final class CompiledSchema: Sendable {
    let pointer: String
    /// In the order in which they are done: the type first, and last what depends on the others.
    let checks: [Check]
    /// Whether null fits, whatever the checks say.
    let acceptsNull: Bool

    init(pointer: String, checks: [Check] = [], acceptsNull: Bool = false) {
        (self.pointer, self.checks, self.acceptsNull) = (pointer, checks, acceptsNull)
    }
}

/// The rule of one keyword of a schema, or of several that belong together.
indirect enum Check: Sendable {
    /// The schema `false`.
    case nothing
    /// A reference that leads nowhere, or to another document.
    case lost(String)
    case types(JSONTypes)
    case constants(Constants)
    case number(Rule<ExactNumber>)
    case characters(Rule<Int>)
    case elements(Rule<Int>)
    case members(Rule<Int>)
    case pattern(Pattern, source: String)
    case format(Format)
    case uniqueItems
    case items(first: [Int], others: Int?)
    case contains(Int, Rule<Int>)
    case required([Required])
    case dependentRequired([(name: String, others: [String])])
    case properties(Properties)
    case propertyNames(Int)
    case reference(Int)
    case all([Int])
    case variants(Variants)
    case not(Int)
    case condition(if: Int, then: Int?, else: Int?)
    case dependentSchemas([(name: String, schema: Int)])
    case unevaluatedItems(Int)
    case unevaluatedProperties(Int)
}

/// A limit of a number or of a count.
struct Rule<Value>: Sendable {
    let keyword: String
    let expected: String
    let fits: @Sendable (Value) -> Bool
}

/// The values of `enum` or `const`.
struct Constants: Sendable {
    let keyword: String
    let expected: String
    private var values: Set<[UInt8]> = []
    /// The texts that scalars have in a URL or a form.
    private let texts: Set<String>

    init(_ values: [JSON], keyword: String) {
        self.keyword = keyword
        let words = values.prefix(9).map { $0.shortened() }.listed(last: ", ")
        let list = values.isEmpty ? "nothing, since the list is empty" : "one of \(words)"
        expected = keyword == "const" ? words : list
        texts = Set(values.compactMap { $0 == .null ? "null" : $0.text })
        // One by one, since many may be the same long text.
        for value in values { self.values.insert(value.canonicalOnDeepStack) }
    }

    func contains(_ value: JSON, _ canonical: [UInt8], isText: Bool) -> Bool {
        if values.contains(canonical) { return true }
        guard isText, case .string(let text) = value else { return false }
        return texts.contains(text) || ExactNumber(text) != nil && values.contains(JSON.number(text).canonical)
    }
}

/// A member that must be there, but for a direction in which its schema says that it is not sent.
struct Required: Sendable {
    let name: String
    let isOptionalIn: Direction?
}

/// The schemas of an object's members.
struct Properties: Sendable {
    var named: [String: Int] = [:]
    var patterns: [(pattern: Pattern, schema: Int)] = []
    /// Those of members with constants, which tell fastest that an object does not fit.
    var constants: [(name: String, schema: Int)] = []
    /// Whether members are named by more than `required`.
    var isDescribing = false
    /// That of members without another one; `nil` if there is none.
    var others: Int?
    /// Whether `others` forbids them.
    var isClosed = false
}

/// The schemas of `anyOf` and `oneOf`, or of a discriminator without them.
struct Variants: Sendable {
    let keyword: String
    var schemas: [Int]
    /// Whether exactly one has to fit.
    var isOne = false
    var discriminator: Discriminator?

    /// The member that names the variant.
    struct Discriminator: Sendable {
        let name: String
        var schemas: [String: Int] = [:]
        /// Whether each variant has a name, so that another one is wrong.
        var isComplete = true
    }
}
