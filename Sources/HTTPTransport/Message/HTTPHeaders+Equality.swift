import Basics

extension HTTPHeaders: Hashable {
    /// Whether both have the same names, compared without case, with the same values in the same order. The order of
    /// different names among each other does not matter (RFC 9110, section 5.3).
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.fields.count == right.fields.count && left.valuesByName == right.valuesByName
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(valuesByName)
    }

    private var valuesByName: [String: [String]] {
        Dictionary(grouping: fields) { $0.name.lowercasedASCII() }.mapValues { $0.map(\.value) }
    }
}
