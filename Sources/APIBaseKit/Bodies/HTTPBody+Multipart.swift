extension HTTPBody {
    /// A form with files (`multipart/form-data`, RFC 7578).
    ///
    /// Files and streams are read while they are sent, and nothing is copied to another file before: on Apple systems
    /// `URLSession` is given a file of all of it. The length goes out beforehand if that of every part is known; otherwise
    /// the body is sent in chunks (RFC 9112, section 7.1). It can be sent again unless a part is a one-shot stream.
    ///
    /// Names and file names are sent in UTF-8, with quotation marks and control characters as `%22`, `%0D` and so on, as
    /// browsers do it. A part's type with a control character in it makes the request fail to build.
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
