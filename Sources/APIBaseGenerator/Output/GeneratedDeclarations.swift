/// The part of generated texts that callers see, by whole names: `Pet.tag` is a member of the type `String?`.
struct GeneratedDeclarations {
    enum Kind {
        case type, member, constant, choice, initializer
        /// The method and the path of a leaf, or the server of the document.
        case address
        /// The credentials that the calls of a class show to the server.
        case credentials
    }

    struct Entry: Equatable {
        let kind: Kind
        /// The type around it; empty for one that is not nested.
        let owner: String
        var text: String
    }

    private(set) var entries: [String: Entry] = [:]
    /// Whether the next initializer is deprecated.
    private var isDeprecated = false

    init(of texts: Set<String>) {
        for text in texts {
            var owners: [String] = []
            for line in Self.joinedInitializers(text.split(whereSeparator: \.isNewline)) {
                let indentation = line.prefix { $0 == " " }.count / 4
                let code = line.drop { $0 == " " }
                // The patterns are slow, and most lines are no declarations.
                guard Self.beginnings.contains(where: code.hasPrefix) else { continue }
                owners = Array(owners.prefix(indentation))
                let owner = owners.joined(separator: ".")
                if let match = code.firstMatch(of: Self.typePattern) {
                    owners.append(String(match.2))
                    if match.1 != "extension" { add(String(match.2), .type, match.0.dropLast(2), in: owner) }
                } else if owners.count == indentation {
                    addMember(code, in: owner)
                } else if entries[owner]?.text.contains("class ") == true {
                    addStatement(code, in: owner)
                }
            }
        }
    }

    private mutating func add(_ name: String, _ kind: Kind, _ text: some StringProtocol, in owner: String) {
        entries[owner.isEmpty ? name : "\(owner).\(name)"] = Entry(kind: kind, owner: owner, text: String(text))
    }

    private mutating func addMember(_ code: Substring, in owner: String) {
        if code.hasPrefix("@available(*, deprecated") {
            isDeprecated = true
        } else if let match = code.firstMatch(of: Self.functionPattern) {
            // It has the parameters of the leaf.
            add(String(match.2), .member, match.1, in: owner)
        } else if let match = code.firstMatch(of: Self.constantPattern) {
            add(String(match.1), match.1 == "server" ? .address : .constant, match.2, in: owner)
        } else if let match = code.firstMatch(of: Self.choicePattern) {
            add(String(match.1), .choice, match.2, in: owner)
        } else if let match = code.firstMatch(of: Self.memberPattern) {
            guard match.1 == "init" else { return add(String(match.1), .member, match.2, in: owner) }
            // Those of protocols.
            guard !code.contains("init(from decoder: any "), !code.contains("{ self.rawValue = ") else { return }
            add("init", .initializer, match.2.dropFirst().dropLast(), in: owner)
            addStatement(code, in: owner)
        }
    }

    /// Adds what an initializer of a leaf, or the `configure` of the document, says beside its parameters.
    private mutating func addStatement(_ code: Substring, in owner: String) {
        if let start = code.firstRange(of: "super.init(") {
            let call = code[start.upperBound...].replacing(Self.segmentPattern) { "{\($0.1)}" }
            guard let match = call.firstMatch(of: Self.callPattern) else { return }
            let ending = isDeprecated ? ", deprecated" : ""
            add("endpoint", .address, "\(match.1.uppercased()) \(match.2)\(ending)", in: owner)
            isDeprecated = false
        } else if let match = code.firstMatch(of: Self.serverPattern) {
            entries["\(owner).endpoint"]?.text += " at \(match.1)"
        } else if let match = code.firstMatch(of: Self.credentialsPattern) {
            // Parameters of a leaf are set in the same way; several cookies are in parentheses.
            if let list = entries["\(owner).init"]?.text, match.1 != "authorization" {
                let names = InitializerParameter.all(in: list).map(\.name)
                guard match.3 != "(", !names.contains(String(match.3)) else { return }
            }
            let former = entries["\(owner).authorization"].map { "\($0.text); " } ?? ""
            add("authorization", .credentials, "\(former)\(match.1) = \(match.2)", in: owner)
        }
    }

    /// The lines, with each initializer's parameters on one line.
    private static func joinedInitializers(_ lines: [Substring]) -> [Substring] {
        var joined: [Substring] = []
        var isInside = false
        for line in lines {
            guard isInside, let last = joined.indices.last else {
                joined.append(line)
                isInside = line.hasSuffix("init(")
                continue
            }
            let code = line.drop { $0 == " " }
            isInside = !code.hasPrefix(")")
            joined[last] += isInside && !joined[last].hasSuffix("(") ? " " + code : code
        }
        return joined
    }

    private static let beginnings = [
        "public ", "@", "struct ", "enum ", "non", "ext", "open ", "final ", "var ", "let ", "typealias ", "static ",
        "case ", "init", "override ", "private static let server ", "class ", "super.", "auth", "headers[", "query[",
        "self.auth", "self.headers[", "self.query[", "baseURL ", "self.baseURL ",
    ]
    private nonisolated(unsafe) static let typePattern =
        /^(?:public |open |final |nonisolated |indirect )*(class|struct|enum|extension) ([\w`.]+)[^{]*{/
    /// A property, a type in the words of a protocol, or the parameters of an initializer.
    private nonisolated(unsafe) static let memberPattern =
        /^(?:@\w+ )*(?:public |open |nonisolated |override )*(?:var |let |typealias )?(`?\w+`?|init)(?:: | = |(?=\())([^{=].*?)(?: \{.*)?$/
    private nonisolated(unsafe) static let constantPattern =
        /^(?:public |private )?static let (`?\w+`?) = \w+\(\w+: (.*)\)$/
    private nonisolated(unsafe) static let functionPattern = /^(?:public )?static (func) (`?\w+`?)\(/
    private nonisolated(unsafe) static let choicePattern = /^case (`?\w+`?)\((.*)\)$/
    private nonisolated(unsafe) static let segmentPattern = /\\\(segment: .*?, named: "((?:[^"\\]|\\.)*)"\)/
    private nonisolated(unsafe) static let callPattern =
        /^\.(?:init\((?:\.|HTTPMethod\(rawValue: "))?([^"(,]+).*?"(\/(?:[^"\\]|\\.)*)"/
    private nonisolated(unsafe) static let serverPattern = /^(?:self\.)?baseURL = URL\(string: "(.*)"\)$/
    private nonisolated(unsafe) static let credentialsPattern =
        /^(?:self\.)?(authorization|(?:headers|query)\["(?:[^"\\]|\\.)*"\]) = ((?:self\.)?(`?\w+`?|\().*)$/
}

/// A parameter of an initializer, as it is declared.
struct InitializerParameter {
    /// `_` for one without.
    let label: String
    let name: String
    let type: String
    /// The value that stands for one that is not given.
    let value: String?

    var text: String { type + (value.map { " = \($0)" } ?? "") }

    static func all(in list: String) -> [Self] {
        list.matches(of: pattern).map { match in
            let name = String(match.2)
            let value = match.4.map(String.init)
            return Self(label: match.1 == nil ? name : "_", name: name, type: String(match.3), value: value)
        }
    }

    private nonisolated(unsafe) static let pattern =
        /(_ )?(`?\w+`?): ([^,=]+?)(?: = ("(?:[^"\\]|\\.)*"|[^,]+))?(?:, |$)/
}
