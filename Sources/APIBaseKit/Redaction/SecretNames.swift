import Foundation
import HTTPTransport

/// The names of a ``Redaction`` as they are compared.
package struct SecretNames {
    private let headers: Set<String>
    private let queryNames: Set<String>
    private let fields: Set<String>

    /// - Parameters:
    ///   - redaction: The names in general.
    ///   - secretHeaders: The headers that this one request declares secret.
    package init(_ redaction: Redaction, secretHeaders: Set<String>) {
        let all = redaction.headers.union(secretHeaders).union(SecretHeaders.default)
        headers = Set(all.map(\.comparable))
        queryNames = Set(redaction.queryNames.map(\.comparable))
        fields = Set(redaction.fields.map(\.comparable))
    }

    package func hasHeader(_ name: String) -> Bool {
        headers.contains(name.comparable) || SecretHeaders.isSecret(lowercased: name.lowercased())
    }

    package func hasQueryName(_ name: String) -> Bool { Self.contains(name, in: queryNames) }

    package func hasField(_ name: String) -> Bool { Self.contains(name, in: fields) }

    /// Forms write what is inside of something else in brackets or behind a dot: `user[password]`, `tokens[0]`, `user.password`.
    private static func contains(_ name: String, in names: Set<String>) -> Bool {
        if names.contains(name.comparable) { return true }
        let parts = name.split { ".[]".contains($0) }
        return parts.count > 0 && parts.contains { names.contains(String($0).comparable) }
    }
}

extension String {
    fileprivate var comparable: String {
        lowercased().filter { $0 != "-" && $0 != "_" }
    }
}
