import Basics
import Foundation

extension HAR.Content {
    init(_ data: Data, type: String) {
        let text = BodyText(data)
        self.init(size: data.count, mimeType: type, text: text.text, encoding: text.encoding)
    }

    /// The bytes; nil if the text is marked as base64 but is not. Empty if there is no text.
    package var data: Data? { BodyText(text: text ?? "", encoding: encoding).data }
}

extension HAR.PostData {
    init(_ data: Data, type: String) {
        let text = BodyText(data)
        self.init(mimeType: type, text: text.text, params: nil, encoding: text.encoding)
    }

    /// The bytes; nil if the text is marked as base64 but is not. Some browsers export only the fields of a form.
    package var data: Data? {
        if text?.isEmpty != false, let params, !params.isEmpty {
            let fields = params.map { "\($0.name.escapedUnlessUnreserved)=\($0.value.escapedUnlessUnreserved)" }
            return Data(fields.joined(separator: "&").utf8)
        }
        return BodyText(text: text ?? "", encoding: encoding).data
    }
}

struct BodyText {
    let text: String
    let encoding: String?

    var data: Data? {
        guard encoding?.lowercased() == "base64" else { return Data(text.utf8) }
        return Data(base64Encoded: text, options: .ignoreUnknownCharacters)
    }
}

extension BodyText {
    init(_ data: Data) {
        let text = String(valid: data)
        self.init(text: text ?? data.base64EncodedString(), encoding: text == nil ? "base64" : nil)
    }
}
