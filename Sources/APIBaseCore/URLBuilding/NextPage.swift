import HTTPTransport

/// The difference between the request for a page of a list and that for the first one.
public enum NextPage: Sendable, Hashable {
    /// The URL of the page, as the server has given it. A relative one is resolved against the URL of the response.
    case url(URL)
    /// Query items by their names, such as a cursor or the number of the page. They replace the request's items with
    /// the same names. Its other items stay.
    case query([String: String])
}

extension NextPage: CustomStringConvertible, CustomReflectable {
    /// The URL without user-info, fragment and values of its query, or the names of the items: a cursor may be a
    /// secret.
    public var description: String {
        switch self {
        case .url(let url): "url(\(url.redacted?.absoluteString ?? "<no URL>"))"
        case .query(let values): "query(\(values.keys.sorted().map { "\($0)=redacted" }.joined(separator: "&")))"
        }
    }

    /// The mirror for `dump`: the description only.
    public var customMirror: Mirror { Mirror(self, children: ["page": description], displayStyle: .enum) }
}

extension NextPage {
    /// The items of a request with the items of the page.
    func items(over items: [URLQueryItem]) -> [URLQueryItem] {
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

/// The page of the code that starts a call, and of its attempts; `nil` outside a list.
package struct CurrentPage: CallLocal, Sendable {
    package static let initial: CurrentPage? = nil

    private let object: ObjectIdentifier
    private let page: NextPage

    package init(page: NextPage, of object: AnyObject) {
        self.object = ObjectIdentifier(object)
        self.page = page
    }

    /// The page for a request object; `nil` for the first one. The calls of other objects, as in a `start()` or in the
    /// refresh of a token, do not belong to the list.
    static func page(of object: AnyObject) -> NextPage? {
        guard let current = CallLocals.here[CurrentPage.self], current.object == ObjectIdentifier(object) else {
            return nil
        }
        return current.page
    }
}
