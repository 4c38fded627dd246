package import APIBaseRedaction
import Foundation

extension Redactor: HAREditor {
    package mutating func redact(_ entry: inout HAR.Entry) { entry.edit(with: &self) }

    package mutating func redact(_ request: inout HAR.Request) { request.edit(with: &self) }

    mutating func edited(_ text: String) -> String { redacted(text) }

    func edited(label: String) -> String { label }

    mutating func edited(_ body: Data, type: String) -> Data? {
        guard let (bytes, found) = names.redactedBody(Array(body), type: type) else { return nil }
        remember(found)
        return Data(bytes)
    }

    mutating func edited(_ fields: [HAR.Field], of part: HAR.Part) -> [HAR.Field] {
        fields.map { HAR.Field(name: $0.name, value: redacted($0, of: part)) }
    }

    private mutating func redacted(_ field: HAR.Field, of part: HAR.Part) -> String {
        if part == .headers { return redactedChallenges(in: field) ?? redacted(field.value, ofHeader: field.name) }
        guard isSecret(field, of: part) else { return redacted(field.value) }
        remember(field.value.utf8)
        return RedactionRules.marker
    }

    private func isSecret(_ field: HAR.Field, of part: HAR.Part) -> Bool {
        guard !field.value.isEmpty else { return false }
        return switch part {
        case .headers: names.hasHeader(field.name)
        case .cookies: true
        case .query: names.hasQueryName(field.name)
        case .form: names.hasField(field.name)
        }
    }
}
