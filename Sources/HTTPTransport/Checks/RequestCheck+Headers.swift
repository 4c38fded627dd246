import Basics

extension RequestCheck {
    /// Names the transport sets itself, because a wrong one changes where a message ends or whom it reaches
    /// (RFC 9110, section 7.6.1; RFC 9112, section 6). All names that begin with `proxy-` belong to them.
    private static let reserved: [StaticString] = [
        "transfer-encoding", "host", "connection", "expect", "te", "trailer", "upgrade", "keep-alive",
    ]

    /// The one field that is sent as UTF-8 (HTML standard, section 9.2.3).
    private static let eventID = "last-event-id"

    /// Checks headers while they are still what was given: as keys of a dictionary, a name and its look-alike can be one.
    ///
    /// - Throws: What is wrong, the first thing that is.
    public static func check(_ headers: HTTPHeaders) throws(InvalidRequest) {
        for (name, value) in headers { try check(name: name, value: value, length: .undecided) }
    }

    /// Checks one field. `Content-Length` passes if it is the length of the body, in plain digits.
    static func check(name: String, value: String, length: Length) throws(InvalidRequest) {
        guard name.isToken else {
            throw InvalidRequest(.headerName(name), .notAToken)
        }
        guard !name.withBytes(isReserved) else { throw InvalidRequest(.headerName(name), .reserved) }
        try check(value: value, of: name)
        if name.equalsIgnoringCase("content-length") { try check(contentLength: value, of: name, length: length) }
    }

    private static func isReserved(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        name.matches("proxy-", at: 0)
            || reserved.contains { $0.utf8CodeUnitCount == name.count && name.matches($0, at: 0) }
    }

    private static func check(value: String, of name: String) throws(InvalidRequest) {
        let problem = value.withBytes { bytes -> InvalidRequest.Problem? in
            let forbidden = bytes.first { !($0.isFieldCharacter || $0 >= 0x80 && name.equalsIgnoringCase(eventID)) }
            if let forbidden { return .forbiddenByte(forbidden) }
            guard let first = bytes.first, let last = bytes.last else { return nil }
            return first.isBlank || last.isBlank ? .outerSpace : nil
        }
        if let problem { throw InvalidRequest(.headerValue(name: name), problem) }
    }

    private static func check(contentLength value: String, of name: String, length: Length) throws(InvalidRequest) {
        let declared = value.utf8.allSatisfy(\.isASCIIDigit) ? Int64(value) : nil
        switch length {
        case .known(let actual) where declared != actual:
            throw InvalidRequest(.headerValue(name: name), .wrongLength(actual: actual))
        case .unknown:
            throw InvalidRequest(.headerValue(name: name), .wrongLength(actual: nil))
        case .undecided where declared == nil:
            throw InvalidRequest(.headerValue(name: name), .wrongLength(actual: nil))
        case .known, .undecided:
            return
        }
    }
}

extension UInt8 {
    fileprivate var isFieldCharacter: Bool { (0x20...0x7E).contains(self) || self == UInt8(ascii: "\t") }
}
