extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// The fields in one line, as `["Accept": "text/csv"]`, with line ends escaped; the values of the names in
    /// ``SecretHeaders/default`` are `<redacted>`.
    public var description: String {
        description(redacting: SecretHeaders.default)
    }

    /// The fields as ``description`` has them, with `<redacted>` for the values of the names in `secrets` as well.
    public func description(redacting secrets: Set<String>) -> String {
        let fields = redacted(secrets).map { "\($0.name.debugDescription): \($0.value.debugDescription)" }
        return "[\(fields.isEmpty ? ":" : fields.joined(separator: ", "))]"
    }

    /// The mirror for `dump`: the fields, redacted as in ``description``.
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
