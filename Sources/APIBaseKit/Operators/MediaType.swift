/// A media type without its parameters (RFC 9110, section 8.3.1), for comparing.
struct MediaType: Equatable {
    /// `type/subtype` in lower case.
    private let essence: String

    /// Takes what stands before the first `;`, without the white space around it.
    init(_ field: String) {
        essence = field.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }
}
