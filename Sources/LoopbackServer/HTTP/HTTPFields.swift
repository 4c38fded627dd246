import Basics

/// Header fields in the order of arrival, with repeated ones. Names are compared without case.
package struct HTTPFields: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    package private(set) var fields: [Field] = []

    package init(_ pairs: KeyValuePairs<String, String> = [:]) {
        fields = pairs.map { Field(name: $0.key, value: $0.value) }
    }

    /// The first value of that name. Setting it replaces all values of the name; `nil` removes them.
    package subscript(name: String) -> String? {
        get { fields.first { $0.name.equalsIgnoringCase(name) }?.value }
        set {
            fields.removeAll { $0.name.equalsIgnoringCase(name) }
            if let newValue { add(name, newValue) }
        }
    }

    package func values(for name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    /// The members of a comma-separated list over all fields of that name, in lower case (RFC 9110, section 5.6.1).
    package func tokens(for name: String) -> [String] {
        values(for: name).flatMap { $0.split(separator: ",") }.map { $0.trimmingBlanks().lowercased() }
            .filter { !$0.isEmpty }
    }

    package mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }
}

extension HTTPFields {
    /// Parses field lines of a head or of trailers, without their line ends.
    init(lines: some Sequence<some Collection<UInt8>>) throws(HTTPError) {
        self.init()
        for line in lines {
            if line.first?.isBlank == true { throw HTTPError(400, "A header field is folded over two lines.") }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                throw HTTPError(400, "A header line has no colon.")
            }
            let name = line[..<colon]
            let value = line[line.index(after: colon)...]
            guard !name.isEmpty, name.allSatisfy(\.isToken) else {
                throw HTTPError(400, "A header name is not a token.")
            }
            guard value.allSatisfy(\.isFieldByte) else {
                throw HTTPError(400, "A header value has a control character.")
            }
            // A value that is not UTF-8 is read as ISO 8859-1, as in older messages.
            let text = String(valid: value) ?? String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
            add(String(decoding: name, as: UTF8.self), text.trimmingBlanks())
        }
    }
}

extension StringProtocol {
    /// The text without spaces and tabs around it.
    package func trimmingBlanks() -> String {
        var text = Substring(self).utf8.drop(while: \.isBlank)
        while let last = text.last, last.isBlank { text.removeLast() }
        return String(Substring(text))
    }
}

extension UInt8 {
    /// Whether it is allowed in a header value (RFC 9110, section 5.5).
    var isFieldByte: Bool { !isControl || isBlank }
}
