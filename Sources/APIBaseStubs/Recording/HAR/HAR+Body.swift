import Basics
import Foundation

extension HAR.Content {
    /// The content that stands for these bytes: as text if they are UTF-8, otherwise as base64.
    init(_ data: Data, type: String) {
        let text = BodyText(data)
        self.init(size: data.count, mimeType: type, text: text.text, encoding: text.encoding)
    }

    /// The bytes; nil if the text is not the base64 that it is said to be. Empty if there is no text.
    var data: Data? { BodyText(text: text ?? "", encoding: encoding).data }
}

extension HAR.PostData {
    /// The body that stands for these bytes: as text if they are UTF-8, otherwise as base64.
    init(_ data: Data, type: String) {
        let text = BodyText(data)
        self.init(mimeType: type, text: text.text, params: nil, encoding: text.encoding)
    }

    /// The bytes; nil if the text is not the base64 that it is said to be.
    ///
    /// Some browsers write down the fields of a form and leave the text out; then it is made of them.
    var data: Data? {
        if text == nil, let params { return Data(params.map(\.asFormField).joined(separator: "&").utf8) }
        return BodyText(text: text ?? "", encoding: encoding).data
    }
}

extension HAR.Field {
    /// As it stands in a form (`application/x-www-form-urlencoded`).
    fileprivate var asFormField: String {
        let allowed = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return [name, value].map { $0.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
            .joined(separator: "=")
    }
}

/// Bytes as the format writes them.
struct BodyText {
    let text: String
    let encoding: String?

    init(text: String, encoding: String?) {
        self.text = text
        self.encoding = encoding
    }

    init(_ data: Data) {
        if let text = String(valid: data) {
            self.init(text: text, encoding: nil)
        } else {
            self.init(text: data.base64EncodedString(), encoding: "base64")
        }
    }

    var data: Data? {
        guard encoding?.lowercased() == "base64" else { return Data(text.utf8) }
        return Data(base64Encoded: text, options: .ignoreUnknownCharacters)
    }
}
