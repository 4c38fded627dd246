import HTTPTransport

/// The difference between the request for a page of a list and that for the first one.
public enum NextPage: Sendable, Hashable {
    /// The URL of the page, as the server has given it. A relative one is resolved against the URL of the response.
    case url(URL)
    /// Query items by their names, such as a cursor or the number of the page. They replace the request's items with
    /// the same names. Its other items stay.
    case query([String: String])
    /// Members of the JSON in the body, each as a JSON text: of the member with this name, or else of the body itself.
    /// ``json(_:)`` and ``variables(_:)`` make it of values.
    case members(of: String?, [String: Data])
    /// The response names a next page that cannot be read, for this reason: a sentence for the error, without secrets.
    /// If another page is asked for, the list fails with ``RequestError/unreadablePage(_:)``.
    case unreadable(String)
}

extension NextPage {
    /// Members of the JSON in the body, such as a cursor: they replace the request's members with the same names. Its
    /// other members stay.
    ///
    /// ```swift
    /// func nextPage(after page: Orders, _ response: HTTPURLResponse) -> NextPage? {
    ///     page.cursor.map { .json(["cursor": $0]) }
    /// }
    /// ```
    ///
    /// - Parameter values: The values, encoded as by a new `JSONEncoder`. If one cannot be encoded, the list fails with
    ///   ``RequestError/unreadablePage(_:)``, and so it does if the body is no JSON object.
    /// - Returns: The page.
    public static func json(_ values: [String: any Encodable & Sendable]) -> NextPage { members(values, of: nil) }

    /// Variables of a GraphQL query, such as a cursor: they replace the request's variables with the same names. Its
    /// other variables stay.
    ///
    /// - Parameter values: The values, as for ``json(_:)``.
    /// - Returns: The page.
    public static func variables(_ values: [String: any Encodable & Sendable]) -> NextPage {
        members(values, of: "variables")
    }

    private static func members(_ values: [String: any Encodable & Sendable], of place: String?) -> NextPage {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return .members(of: place, try values.mapValues { try encoder.encode($0) })
        } catch {
            return .unreadable("A value for the body of its request cannot be encoded.")
        }
    }
}

extension NextPage: CustomStringConvertible, CustomReflectable {
    /// The URL without user-info, fragment and values of its query, the names of the items, or the reason: a cursor
    /// may be a secret.
    public var description: String {
        switch self {
        case .url(let url): "url(\(url.redacted?.absoluteString ?? "<no URL>"))"
        case .query(let values): "query(\(values.keys.sorted().map { "\($0)=redacted" }.joined(separator: "&")))"
        case .members(let place, let values):
            "\(place ?? "json")(\(values.keys.sorted().map { "\($0): redacted" }.joined(separator: ", ")))"
        case .unreadable(let reason): "unreadable(\(reason))"
        }
    }

    /// The mirror for `dump`: the description only.
    public var customMirror: Mirror { Mirror(self, children: ["page": description], displayStyle: .enum) }
}

extension NextPage {
    /// The URL that the response's `Link` header names with `rel="next"`; `nil` if it names none. Without a URL of the
    /// response, it is resolved against that of the request.
    static func linked(in response: HTTPURLResponse, or own: URL? = nil) -> NextPage? {
        guard let url = response.url ?? own, let links = response.value(forHTTPHeaderField: "Link") else { return nil }
        let header = LinkHeader(links)
        return header.target(of: "next", from: url).map(NextPage.url)
            ?? header.defect(of: "next", from: url).map(NextPage.unreadable)
    }

    /// The change of the requests of the first page.
    func change(of object: APIBase, number: Int) -> RequestChange {
        var members: BodyMembers?
        if case .members(let place, let values) = self { members = BodyMembers(values, in: place) }
        let isOfQuery = if case .query = self { true } else { false }
        return RequestChange(of: object, number: number, isOfQuery: isOfQuery, members: members, target: target)
    }

    /// The path and the items of the page, given those of the first one.
    private func target(path: String, items: [URLQueryItem]) -> (path: String, items: [URLQueryItem]) {
        switch self {
        case .url(let url): (url.absoluteString, [])
        case .query, .members, .unreadable: (path, self.items(over: items))
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
