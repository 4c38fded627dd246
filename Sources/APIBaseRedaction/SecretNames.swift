import Basics
import Foundation
import HTTPTransport

/// The names of secrets of a ``RedactionRules`` and one request, prepared for comparison.
package struct SecretNames {
    private let secretHeaders: Set<String>
    /// Those of the request that are not always secret.
    private let otherHeaders: Set<[UInt8]>
    private let rules: PreparedRules

    /// The names whose values errors and messages of tests do not show.
    package static let ofMessages = SecretNames(.default, secretHeaders: [])

    /// - Parameters:
    ///   - redaction: The names for all requests.
    ///   - secretHeaders: The headers that this request declares secret.
    package init(_ redaction: RedactionRules, secretHeaders: Set<String>) {
        self.secretHeaders = secretHeaders
        let isUsual = secretHeaders.isSubset(of: HTTPHeaders.secretNames)
        otherHeaders = isUsual ? [] : Set(secretHeaders.map { FieldNames.plain($0.utf8) })
        rules = .of(redaction)
    }

    package func hasHeader(_ name: String) -> Bool {
        if HTTPHeaders.isSecret(name, in: secretHeaders) { return true }
        let plain = FieldNames.plain(name.utf8)
        return rules.headers.contains(plain) || otherHeaders.contains(plain)
    }

    package func hasQueryName(_ name: String) -> Bool { hasQueryName(Array(name.utf8)[...]) }

    package func hasField(_ name: String) -> Bool { hasField(Array(name.utf8)[...]) }

    func hasQueryName(_ name: ArraySlice<UInt8>) -> Bool { rules.queryNames.contains(name) }

    func hasField(_ name: ArraySlice<UInt8>) -> Bool { rules.fields.contains(name) }

    /// True if a header, a query or a body has a secret of this name.
    package func hasAny(_ name: String) -> Bool { hasAny(Array(name.utf8)[...]) }

    func hasAny(_ name: ArraySlice<UInt8>) -> Bool {
        hasField(name) || hasQueryName(name) || hasHeader(String(decoding: name, as: UTF8.self))
    }

    /// True if the list of fields has this name. A name that only ends like a secret one does not count.
    package func isName(ofField text: [UInt8]) -> Bool { rules.fields.lists(text[...]) }
}

/// The names of a ``RedactionRules``, prepared for comparison. That takes longer than to redact a request, so the last
/// ones are kept.
private final class PreparedRules: Sendable {
    let headers: Set<[UInt8]>
    let queryNames: FieldNames
    let fields: FieldNames

    private static let usual = PreparedRules(.default)
    private static let last = Locked<(rules: RedactionRules, prepared: PreparedRules)?>(nil)

    static func of(_ rules: RedactionRules) -> PreparedRules {
        if rules == .default { return usual }
        if let last = last.withLock({ $0 }), last.rules == rules { return last.prepared }
        let prepared = PreparedRules(rules)
        last.withLock { $0 = (rules, prepared) }
        return prepared
    }

    private init(_ rules: RedactionRules) {
        headers = Set(rules.headers.union(HTTPHeaders.secretNames).map { FieldNames.plain($0.utf8) })
        queryNames = FieldNames(rules.queryNames)
        fields = FieldNames(rules.fields)
    }
}

/// The names of secret fields: those of a list, and those with the ending of a secret name.
struct FieldNames: Sendable {
    /// The length of the longest name that is looked up, in bytes.
    static let longest = 256

    private let names: Set<[UInt8]>

    init(_ names: Set<String>) { self.names = Set(names.map { Self.plain($0.utf8) }) }

    /// True if a field of this name is secret; never for an empty list.
    func contains(_ name: ArraySlice<UInt8>) -> Bool {
        !names.isEmpty
            && Self.hasPart(name) { part in
                let plain = Self.plain(part)
                return names.contains(plain) || Self.hasSecretEnding(part, plain) || Self.isCode(plain)
            }
    }

    /// True if the list has this name.
    func lists(_ name: ArraySlice<UInt8>) -> Bool { Self.hasPart(name) { names.contains(Self.plain($0)) } }

    /// True if the name or a part of it is secret. Forms write nested fields in brackets or after a dot:
    /// `user[password]`, `tokens[0]`, `user.password`.
    private static func hasPart(_ name: ArraySlice<UInt8>, _ isSecret: (ArraySlice<UInt8>) -> Bool) -> Bool {
        if isSecret(name) { return true }
        guard name.contains(where: { ".[]".utf8.contains($0) }) else { return false }
        return name.split { ".[]".utf8.contains($0) }.contains(where: isSecret)
    }

    /// The name in the form that is compared: in lower case, without `-` and `_`.
    static func plain(_ name: some Collection<UInt8>) -> [UInt8] {
        let isASCII = name.allSatisfy { $0 < 0x80 }
        let name = isASCII ? Array(name) : Array(String(decoding: name, as: UTF8.self).lowercased().utf8)
        return name.compactMap { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") ? nil : $0.lowercasedASCII }
    }
}

// MARK: Endings

extension FieldNames {
    private static let endings = SecretWords.endings.map { Array($0.utf8) }
    private static let codes = SecretWords.codes.map { Array($0.utf8) }
    private static let harmless =
        SecretWords.harmlessTokens.map { Array("\($0)token".utf8) }
        + SecretWords.harmlessKeys.union(SecretWords.recordKeys).map { Array("\($0)key".utf8) }

    /// True for codes that give access: `verification_code`, `backupCodes`, but not `zip_code`.
    private static func isCode(_ plain: [UInt8]) -> Bool {
        var rest = plain[...]
        if rest.last == UInt8(ascii: "s") { rest.removeLast() }
        guard rest.suffix(4).elementsEqual("code".utf8) else { return false }
        let word = Array(rest.dropLast(4))
        return codes.contains { word.ends(in: $0) }
    }

    /// True if the name ends like a secret one: `vendor_token`, `dbPassword`, `AccountKey`.
    private static func hasSecretEnding(_ name: ArraySlice<UInt8>, _ plain: [UInt8]) -> Bool {
        guard endsInKey(name) || endings.contains(where: { plain.ends(in: $0) }) else { return false }
        return !harmless.contains { plain.ends(in: $0) }
    }

    /// True if the last word is “key” after another word: `api_key`, `AccountKey`, but not `monkey`.
    private static func endsInKey(_ name: ArraySlice<UInt8>) -> Bool {
        let word = name.suffix(3)
        guard word.map(\.lowercasedASCII) == Array("key".utf8), let before = name.dropLast(3).last else { return false }
        return !before.isASCIILetter || word.elementsEqual("Key".utf8)
    }
}

extension [UInt8] {
    fileprivate func ends(in ending: [UInt8]) -> Bool { suffix(ending.count).elementsEqual(ending) }
}
