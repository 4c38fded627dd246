package import APIBaseRedaction
import Foundation

extension Redactor: HAREditor {
    package mutating func redact(_ entry: inout HAR.Entry) { entry.edit(with: &self) }

    package mutating func redact(_ request: inout HAR.Request) { request.edit(with: &self) }

    mutating func edited(_ text: String) -> String { redacted(text) }

    func edited(label: String) -> String { label }

    mutating func edited(_ fields: [HAR.Field], of part: HAR.Part) -> [HAR.Field] {
        fields.map { HAR.Field(name: $0.name, value: redacted($0, of: part)) }
    }

    private mutating func redacted(_ field: HAR.Field, of part: HAR.Part) -> String {
        let isSecret: Bool
        switch part {
        case .headers: return redactedChallenges(in: field) ?? redacted(field.value, ofHeader: field.name)
        case .cookies: isSecret = true
        case .query: isSecret = names.hasQueryName(field.name)
        case .form: isSecret = names.hasField(field.name)
        }
        guard isSecret, !field.value.isEmpty else { return redacted(field.value) }
        // A cookie may be quoted, and repeated without the quotes.
        remember(field.value.trimmingCharacters(in: CharacterSet(charactersIn: " \"")).utf8)
        return RedactionRules.marker
    }
}
