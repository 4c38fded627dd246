import HTTPTransport

/// The difference between the request for a page of a list and that for the first one.
public enum NextPage: Sendable, Hashable {
    /// The URL of the page, as the server has given it. A relative one is resolved against the URL of the response.
    case url(URL)
    /// Query items by their names, such as a cursor or the number of the page. They replace the request's items with
    /// the same names. Its other items stay.
    case query([String: String])
    /// The response names a next page that cannot be read, for this reason: a sentence for the error, without secrets.
    /// If another page is asked for, the list fails with ``RequestError/unreadablePage(_:)``.
    case unreadable(String)
}

extension NextPage: CustomStringConvertible, CustomReflectable {
    /// The URL without user-info, fragment and values of its query, the names of the items, or the reason: a cursor
    /// may be a secret.
    public var description: String {
        switch self {
        case .url(let url): "url(\(url.redacted?.absoluteString ?? "<no URL>"))"
        case .query(let values): "query(\(values.keys.sorted().map { "\($0)=redacted" }.joined(separator: "&")))"
        case .unreadable(let reason): "unreadable(\(reason))"
        }
    }

    /// The mirror for `dump`: the description only.
    public var customMirror: Mirror { Mirror(self, children: ["page": description], displayStyle: .enum) }
}

extension NextPage {
    /// The path and the items of the page, given those of the first one.
    func target(path: String, items: [URLQueryItem]) -> (path: String, items: [URLQueryItem]) {
        switch self {
        case .url(let url): (url.absoluteString, [])
        case .query, .unreadable: (path, self.items(over: items))
        }
    }

    /// The items of a request with the items of the page.
    private func items(over items: [URLQueryItem]) -> [URLQueryItem] {
        guard case .query(let values) = self else { return items }
        var missing = values
        var replaced = items.compactMap { item -> URLQueryItem? in
            guard values[item.name] != nil else { return item }
            // Several items of a name become one.
            return missing.removeValue(forKey: item.name).map { URLQueryItem(name: item.name, value: $0) }
        }
        replaced += missing.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
        return replaced
    }
}
