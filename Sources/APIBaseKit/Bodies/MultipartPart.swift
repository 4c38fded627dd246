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

    /// Puts a part together.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - fileName: The name of the file. If it is `nil` and the content is a file, that file's own name.
    ///   - type: The media type. If it is `nil`, that of the content, if it has one, and `application/octet-stream` for a file.
    ///   - content: Bytes, a file, or a stream. A file is read while it is sent.
    public init(name: String, fileName: String? = nil, type: String? = nil, content: HTTPBody) {
        self.name = name
        self.fileName = fileName ?? content.fileName
        self.type = type ?? content.contentType ?? (self.fileName == nil ? nil : "application/octet-stream")
        self.content = content
    }

    /// A field of plain text, or a number.
    public init(name: String, value: some LosslessStringConvertible) {
        self.init(name: name, content: .data(Data(value.description.utf8)))
    }
}

extension MultipartPart: CustomStringConvertible, CustomReflectable {
    /// Nothing: `dump` does not show what is in it either.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Name, type and length: never what is in it.
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

    /// Why the part cannot be written; `nil` if it can.
    var problem: InvalidRequest? {
        guard let byte = type?.utf8.first(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else { return nil }
        return InvalidRequest(.headerValue(name: "Content-Type"), .forbiddenByte(byte))
    }
}

extension String {
    /// The text as it stands between quotation marks in the head of a part: as browsers write it (HTML standard, section
    /// 4.10.22.8), with the other control characters escaped as well, since none may stand in a header.
    ///
    /// - Parameter asField: Whether it is the name of a field, whose line breaks are all written as CR LF.
    /// - Returns: The text, without quotation marks and control characters.
    fileprivate func quotedForMultipart(asField: Bool) -> String {
        var quoted = ""
        for scalar in (asField ? withNetworkLineBreaks : self).unicodeScalars {
            switch scalar {
            case "\"", "\0"..."\u{1F}", "\u{7F}":
                quoted += "%" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted
    }

    /// The text with each CR, LF and CR LF as CR LF.
    private var withNetworkLineBreaks: String {
        // A CR LF is one character.
        String(flatMap { $0 == "\n" || $0 == "\r" ? "\r\n" : String($0) })
    }
}
