import HTTPTransport

/// Pages that are counted: by their own numbers, or by the elements before them. A `Link` header that names other pages
/// and no next one ends them too.
extension NextPage {
    /// The page with the number after that of a response, while there are more.
    ///
    /// ```swift
    /// func nextPage(after page: Books, _ response: HTTPURLResponse) -> NextPage? {
    ///     .number("page", after: response, while: !page.books.isEmpty)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - item: The query item with the number. That of the page that has come is read from the response's URL.
    ///   - response: The head of the response.
    ///   - first: The number of the page if its URL has none.
    ///   - hasMore: Whether there are more pages.
    /// - Returns: The page; `nil` if there are no more. ``unreadable(_:)`` if the item is no integer.
    public static func number(
        _ item: String,
        after response: HTTPURLResponse,
        first: Int = 1,
        while hasMore: Bool
    ) -> NextPage? {
        hasMore ? counted(item, after: response, first: first, step: 1) { _ in true } : nil
    }

    /// The page with the number after that of a response, up to the last one.
    ///
    /// - Parameters:
    ///   - item: The query item with the number. That of the page that has come is read from the response's URL.
    ///   - response: The head of the response.
    ///   - first: The number of the page if its URL has none, which is that of the first page.
    ///   - count: The number of pages. If it is `nil`, there are no more.
    /// - Returns: The page; `nil` after the last one. ``unreadable(_:)`` if the item is no integer.
    public static func number(
        _ item: String,
        after response: HTTPURLResponse,
        first: Int = 1,
        of count: (some BinaryInteger)?
    ) -> NextPage? {
        counted(item, after: response, first: first, step: 1) { $0 - first < count ?? 0 }
    }

    /// The page that begins after the elements of a response.
    ///
    /// ```swift
    /// func nextPage(after page: Books, _ response: HTTPURLResponse) -> NextPage? {
    ///     .offset("offset", after: response, by: page.books.count, of: page.total)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - item: The query item with the number of elements before the page. That of the page that has come is read
    ///     from the response's URL.
    ///   - response: The head of the response.
    ///   - first: The number of the first element, which is that of a page whose URL has none: 0, or 1 for SCIM (RFC
    ///     7644, section 3.4.2.4).
    ///   - count: The number of elements of the page that has come.
    ///   - total: The number of all elements. If it is `nil`, a page without elements is the last one.
    /// - Returns: The page; `nil` after the last one. ``unreadable(_:)`` if the item is no integer.
    public static func offset(
        _ item: String,
        after response: HTTPURLResponse,
        first: Int = 0,
        by count: Int,
        of total: (some BinaryInteger)? = Int?.none
    ) -> NextPage? {
        guard count > 0 else { return nil }
        return counted(item, after: response, first: first, step: count) { next in
            total.map { next - first < $0 } ?? true
        }
    }

    private static func counted(
        _ item: String,
        after response: HTTPURLResponse,
        first: Int,
        step: Int,
        while isPage: (Int) -> Bool
    ) -> NextPage? {
        if response.hasLinkToOtherPages { return nil }
        let components = response.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        let value = components?.queryItems?.first { $0.name == item }.map { $0.value ?? "" }
        guard let number = value.map({ Int($0) }) ?? first, number >= 0, number < Int.max - step else {
            return .unreadable("The query item “\(item)” of the page that has come is no number to count on from.")
        }
        return isPage(number + step) ? .query([item: String(number + step)]) : nil
    }
}

extension HTTPURLResponse {
    /// Whether its `Link` header names other pages, and no next one (RFC 8288): some servers refuse what would follow.
    fileprivate var hasLinkToOtherPages: Bool {
        guard let url, let links = value(forHTTPHeaderField: "Link").map(LinkHeader.init) else { return false }
        func names(_ relation: String) -> Bool { links.target(of: relation, from: url) != nil }
        return !names("next") && ["prev", "previous", "first", "last"].contains(where: names)
    }
}
