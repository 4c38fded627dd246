package import APIBaseRedaction
import Foundation

extension Secrets: HAREditor {
    package func remove(from entry: inout HAR.Entry) {
        guard !isEmpty else { return }
        var editor = self
        entry.edit(with: &editor)
    }

    package func remove(from request: inout HAR.Request) {
        guard !isEmpty else { return }
        var editor = self
        request.edit(with: &editor)
    }

    func edited(_ text: String) -> String { removed(from: text) }

    func edited(label: String) -> String { removed(from: label) }

    func edited(_ body: Data, type: String) -> Data? { removed(from: body) }

    func edited(_ fields: [HAR.Field], of part: HAR.Part) -> [HAR.Field] {
        fields.map { HAR.Field(name: removed(from: $0.name), value: removed(from: $0.value)) }
    }
}
