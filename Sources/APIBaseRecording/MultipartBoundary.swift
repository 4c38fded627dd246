import Foundation

/// The boundary of a multipart body (RFC 2046, section 5.1.1), which is another one in each request.
struct MultipartBoundary {
    private let text: String

    /// Takes the boundary of a media type; `nil` if it has none.
    init?(of type: String?) {
        let pattern = /(?i)^\s*multipart\/.*[;\s]boundary\s*=\s*("[^"]+"|[^;\s]+)/
        guard let match = type?.firstMatch(of: pattern) else { return nil }
        text = match.1.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    }

    /// The header with a word in place of the boundary.
    func removed(from header: String) -> String { header.replacingOccurrences(of: text, with: Self.word) }

    /// The body with a word in place of the boundary, where it follows two dashes.
    func removed(from body: Data) -> Data {
        let delimiter = Data("--\(text)".utf8)
        var (result, rest) = (Data(), body[...])
        while let place = rest.range(of: delimiter) {
            result += rest[..<place.lowerBound] + Data("--\(Self.word)".utf8)
            rest = rest[place.upperBound...]
        }
        return result + rest
    }

    private static let word = "boundary"
}

extension HAR.Request {
    /// The media type of the body.
    var bodyType: String? {
        headers.first { $0.name.lowercased() == "content-type" }?.value ?? postData?.mimeType
    }
}
