extension ResponseKey {
    /// What a request is found by, as it is: the URL, and the values of the headers that say who asks.
    init(_ request: URLRequest, secretHeaders: Set<String>) {
        var user = ""
        for name in secretHeaders.sorted() {
            guard let value = request.value(forHTTPHeaderField: name) else { continue }
            user += "\(name.lowercased()):\(value.utf8.count):\(value)\n"
        }
        self.init(url: request.url.map(Self.name) ?? "", user: user)
    }

    /// A URL without its fragment, which no server sees.
    static func name(of url: URL) -> String {
        let text = url.absoluteString
        return text.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(text[..<$0]) } ?? text
    }
}
