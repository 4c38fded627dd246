/// A JSON value that keeps the order of its members and the digits of its numbers.
package indirect enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number as it stands in the text.
    case number(String)
    case string(String)
    case array([JSON])
    case object(Members)

    /// The members of an object, in their order. Of members with one name, the last counts.
    package struct Members: Hashable, Sendable {
        package private(set) var names: [String] = []
        package private(set) var values: [JSON] = []
        /// The places of the names in a large object. In a small one, they are found faster without.
        private var places: [String: Int] = [:]

        package init() {}

        package init(_ members: [(String, JSON)]) {
            for (name, value) in members { self[name] = value }
        }

        package subscript(name: String) -> JSON? {
            get { index(of: name).map { values[$0] } }
            set {
                guard let newValue else { return }
                if let place = index(of: name) { return values[place] = newValue }
                names.append(name)
                values.append(newValue)
                if names.count == Self.smallCount + 1 {
                    for (place, name) in names.enumerated() { places[name] = place }
                } else if names.count > Self.smallCount {
                    places[name] = names.count - 1
                }
            }
        }

        private static let smallCount = 8

        package func index(of name: String) -> Int? {
            names.count > Self.smallCount ? places[name] : names.firstIndex(of: name)
        }

        package func without(_ removed: Set<String>) -> Members {
            Members(zip(names, values).filter { !removed.contains($0.0) })
        }
    }
}

extension JSON {
    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var array: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
    package var object: Members? { if case .object(let members) = self { members } else { nil } }
    /// The number, if it is written as an integer, or as one with zeros after the point.
    package var integer: Int? {
        guard case .number(let digits) = self else { return nil }
        return Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
    }
    /// The scalar as a text: what stands in a document where a text was meant.
    package var text: String? {
        switch self {
        case .string(let text): text
        case .number(let digits): digits
        case .bool(let value): "\(value)"
        case .null, .array, .object: nil
        }
    }

    /// The members of an object in their order; none for another value.
    package var pairs: [(name: String, value: JSON)] { object.map { zip($0.names, $0.values).map { ($0, $1) } } ?? [] }

    package subscript(name: String) -> JSON? { object?[name] }

    /// The elements of an array, or the values of an object.
    package var children: [JSON] { array ?? object?.values ?? [] }

    /// Whether a text in it contains this one.
    package func mentions(_ text: String) -> Bool {
        string?.contains(text) == true || children.contains { $0.mentions(text) }
    }

    /// An object with these members.
    package static func members(_ members: [(String, JSON)]) -> JSON { .object(Members(members)) }

    /// `nil` for an array or an object without content.
    package var unlessEmpty: JSON? { array?.isEmpty == true || object?.names.isEmpty == true ? nil : self }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self = .string(text) }

    /// Members without a value are left out.
    package init(dictionaryLiteral members: (String, JSON?)...) {
        self = .members(members.compactMap { name, value in value.map { (name, $0) } })
    }
}
