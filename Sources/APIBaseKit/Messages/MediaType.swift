import Basics

/// A media type without its parameters (RFC 9110, section 8.3.1), for comparing.
struct MediaType: Equatable {
    /// `type/subtype`, in whatever case.
    private let essence: Substring

    /// Takes what stands before the first `;`, without the spaces and tabs around it.
    init(_ field: String) {
        var essence = field.utf8.prefix { $0 != UInt8(ascii: ";") }.drop(while: \.isBlank)
        while essence.last?.isBlank == true { essence.removeLast() }
        self.essence = Substring(essence)
    }

    /// The type: the part before the slash.
    var type: Substring { Substring(essence.utf8.prefix { $0 != UInt8(ascii: "/") }) }

    /// The subtype: the part after the slash.
    var subtype: Substring { Substring(essence.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst()) }

    static func == (left: MediaType, right: MediaType) -> Bool {
        left.essence.equalsIgnoringCase(right.essence)
    }
}
