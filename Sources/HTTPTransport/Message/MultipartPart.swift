import Basics
import Foundation

/// One part of a form with files (RFC 7578).
public struct MultipartPart: Sendable {
    /// The name of the field.
    public var name: String
    /// The name of the file, for parts that are files.
    public var fileName: String?
    /// The media type of the part; `nil` for plain text.
    public var type: String?
    /// The content of the part.
    public var content: HTTPBody

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - fileName: The name of the file. If it is `nil` and the content is a file, the name of that.
    ///   - type: The media type. If it is `nil`, the type of the content, or `application/octet-stream` for a file.
    ///   - content: Bytes, a file, or a stream. A file is read while it is sent.
    public init(name: String, fileName: String? = nil, type: String? = nil, content: HTTPBody) {
        self.name = name
        self.fileName = fileName ?? content.fileName
        self.type = type ?? content.contentType ?? (self.fileName == nil ? nil : "application/octet-stream")
        self.content = content
    }

    /// Creates a field with a text or a number.
    public init(name: String, value: some LosslessStringConvertible) {
        self.init(name: name, content: .data(Data(value.description.utf8)))
    }
}

extension HTTPBody {
    /// A form with files (`multipart/form-data`, RFC 7578).
    ///
    /// Files and streams are read while they are sent. `URLSession` needs the form in a temporary file, which is
    /// written first. The length is sent if the length of each part is known. Otherwise the body is sent in chunks (RFC
    /// 9112, section 7.1). It can be sent again unless a part is a stream that can be read only once.
    ///
    /// Names and file names are sent in UTF-8, with quotation marks and control characters as `%22`, `%0D` and so on,
    /// as browsers do it. If a part's type has a control character, building the request fails.
    public static func multipart(_ parts: [MultipartPart]) -> HTTPBody {
        if let problem = parts.lazy.compactMap(\.problem).first { return failed(problem) }
        let boundary = "APIBaseKit-\(UUID().uuidString)"
        let bodies = parts.flatMap { part in
            [.data(Data("--\(boundary)\r\n\(part.head)".utf8)), part.content, .data(Data("\r\n".utf8))]
        }
        let end = HTTPBody.data(Data("--\(boundary)--\r\n".utf8))
        return joined(bodies + [end], type: "multipart/form-data; boundary=\(boundary)")
    }
}

extension MultipartPart: CustomStringConvertible, CustomReflectable {
    /// An empty mirror: `dump` does not show the content.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Name, type and length, without the content.
    public var description: String {
        "MultipartPart(\(name), \(type ?? "text/plain"), \(content.lengthText))"
    }
}

extension MultipartPart {
    /// The header lines before the content, with the empty line that ends them.
    var head: String {
        var head = "Content-Disposition: form-data; name=\"\(name.quotedForMultipart(asField: true))\""
        if let fileName { head += "; filename=\"\(fileName.quotedForMultipart(asField: false))\"" }
        head += "\r\n"
        if let type { head += "Content-Type: \(type)\r\n" }
        return head + "\r\n"
    }

    /// The reason why the part cannot be sent; `nil` if it can.
    var problem: TransportError.InvalidRequest? {
        guard let byte = type?.utf8.first(where: { $0.isControl && $0 != UInt8(ascii: "\t") }) else { return nil }
        return TransportError.InvalidRequest(.headerValue(name: "Content-Type"), .forbiddenByte(byte))
    }
}

extension String {
    /// The text for a quoted name, escaped as browsers do (HTML standard, section 4.10.22.8): quotation marks and line
    /// breaks. The other control characters are escaped as well, since a header must not contain any.
    ///
    /// - Parameter asField: Whether it is the name of a field, in which all line breaks become CR LF.
    /// - Returns: The text, without quotation marks and control characters.
    fileprivate func quotedForMultipart(asField: Bool) -> String {
        let text = asField ? withNetworkLineBreaks : self
        return text.withBytes { bytes in
            bytes.escaped { bytes[$0] != UInt8(ascii: "\"") && !bytes[$0].isControl }
        } ?? text
    }

    /// The text with CR LF for each CR, LF and CR LF.
    private var withNetworkLineBreaks: String {
        // A CR LF is one character.
        String(flatMap { $0 == "\n" || $0 == "\r" ? "\r\n" : String($0) })
    }
}
