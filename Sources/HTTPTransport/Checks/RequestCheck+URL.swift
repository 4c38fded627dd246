public import Foundation

extension RequestCheck {
    /// Checks every component of the URL as text.
    ///
    /// Only plain RFC 3986 passes, so that no two parsers on the way can read different hosts or paths out of it.
    ///
    /// - Throws: What is wrong, the first thing that is.
    public static func check(url: URL) throws(InvalidRequest) {
        _ = try CheckedURL(url)
    }

    /// Checks the text of a URL. `URL` itself mends what it is given, so text from elsewhere is checked before it is one.
    static func check(urlText text: String) throws(InvalidRequest) {
        _ = try CheckedURL(text: text)
    }
}
