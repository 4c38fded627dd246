extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// The fields as `Name: value`, one a line; the values of the names in ``SecretHeaders/default`` are `<redacted>`.
    public var description: String {
        description(redacting: SecretHeaders.default)
    }

    /// The fields as `Name: value`, one a line, with `<redacted>` for the values of the names in `secrets` and in
    /// ``SecretHeaders/default``.
    public func description(redacting secrets: Set<String>) -> String {
        redacted(secrets).map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }

    /// What `dump` shows: the fields, redacted as in ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: redacted([]).map { (label: $0.name, value: $0.value) }, displayStyle: .struct)
    }

    private func redacted(_ secrets: Set<String>) -> [(name: String, value: String)] {
        fields.map { field in
            let isSecret = SecretHeaders.contains(field.name, in: secrets)
            return (field.name, isSecret ? "<redacted>" : field.value)
        }
    }
}
