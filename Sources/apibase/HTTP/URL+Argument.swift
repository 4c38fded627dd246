import APIBaseKit

extension URL {
    /// A URL as people type it.
    init(argument text: String) throws(UsageError) {
        var address = text.hasPrefix(":") ? "localhost\(text.hasPrefix(":/") ? String(text.dropFirst()) : text)" : text
        if address.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//) == nil {
            let isNear = ["localhost", "127.", "[::1]"].contains { address.hasPrefix($0) }
            address = (isNear ? "http://" : "https://") + address
        }
        let location = address.prefix { $0 != "#" }
        guard let url = URL(string: String(location)), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false
        else { throw .badValue(option: "URL", value: text, expected: "a URL, such as https://example.com/path") }
        self = url
    }
}
