import HTTPTransport

/// The way from one page of a list to the next: the same request with something else in its URL.
public enum NextPage: Sendable, Hashable {
    /// The whole URL, as the server has given it. One that is relative is seen from the URL of the reply.
    case url(URL)
    /// Query items by their names, such as a cursor, or the number of the page. They take the place of those of the request that
    /// have the same names, and its other items stay.
    case query([String: String])
}

extension NextPage: CustomStringConvertible, CustomReflectable {
    /// The URL without user-info, fragment and values of its query, or the names of the items: a cursor may be a secret.
    public var description: String {
        switch self {
        case .url(let url): "url(\(url.redacted?.absoluteString ?? "<no URL>"))"
        case .query(let values): "query(\(values.keys.sorted().map { "\($0)=redacted" }.joined(separator: "&")))"
        }
    }

    /// The mirror for `dump`: the description and nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["page": description], displayStyle: .enum) }
}

extension NextPage {
    /// The items of a request, with those of the page.
    func items(over items: [URLQueryItem]) -> [URLQueryItem] {
        guard case .query(let values) = self else { return items }
        var missing = values
        var replaced = items.compactMap { item -> URLQueryItem? in
            guard values[item.name] != nil else { return item }
            // Where there were several there is one.
            return missing.removeValue(forKey: item.name).map { URLQueryItem(name: item.name, value: $0) }
        }
        replaced += missing.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
        return replaced
    }
}
