package import APIBaseRedaction

extension HAR {
    /// The entries without their secrets: what is secret in one of them is removed from all.
    ///
    /// - Parameters:
    ///   - rules: The names of secrets.
    ///   - known: Further values to remove.
    /// - Returns: The entries, and all values that were removed.
    package func entriesWithoutSecrets(
        _ rules: RedactionRules,
        and known: Secrets = Secrets()
    ) -> (entries: [Entry], secrets: Secrets) {
        var secrets = known
        let redacted = log.entries.map { entry in
            var redactor = Redactor(rules)
            var entry = entry
            redactor.redact(&entry)
            secrets.formUnion(redactor.secrets)
            return entry
        }
        let entries = redacted.map { [secrets] entry in
            var entry = entry
            secrets.remove(from: &entry)
            return entry
        }
        return (entries, secrets)
    }
}
