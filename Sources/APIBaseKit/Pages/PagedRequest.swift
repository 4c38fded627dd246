/// A call of one endpoint that gives a list page by page: what the leaf class of such an endpoint conforms to.
///
/// ```swift
/// final class BooksRequest: BooksAPI, PagedRequest {
///     typealias ModelType = [Book]
///     override init() { super.init(.get("/books")) }
/// }
///
/// for try await books in BooksRequest().pages().values { … }
/// try Task.checkCancellation()
/// ```
///
/// The pages are linked by the `Link` header of the replies, unless the leaf says otherwise: with a cursor or a number in
/// ``nextPage(after:_:)``.
public protocol PagedRequest<ModelType, Failure>: Request where Self: APIBase {
    /// The page that comes after another one.
    ///
    /// By default what the reply's `Link` header names with `rel="next"` (RFC 8288). That holds as well where a leaf's own method
    /// has another name, label or type than this one: it is never called then, the compiler says nothing, and a list without
    /// links ends after its first page. A test that counts the pages tells.
    ///
    /// ```swift
    /// func nextPage(after page: Books, _ response: HTTPURLResponse) -> NextPage? {
    ///     page.cursor.map { .query(["cursor": $0]) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - page: The page that has come. That it is empty does not mean that it is the last.
    ///   - response: The head of the reply that it came with.
    /// - Returns: The next page; `nil` if this is the last one.
    func nextPage(after page: ModelType, _ response: HTTPURLResponse) -> NextPage?
}

extension PagedRequest {
    /// The URL that the reply's `Link` header names with `rel="next"`; `nil` if it names none. One that cannot be sent fails when
    /// it is fetched.
    public func nextPage(after page: ModelType, _ response: HTTPURLResponse) -> NextPage? {
        guard let url = response.url ?? request?.url, let links = response.value(forHTTPHeaderField: "Link") else {
            return nil
        }
        return LinkHeader(links).target(of: "next", from: url).map(NextPage.url)
    }

    /// The pages from the first one on, each fetched when it is asked for.
    ///
    /// Each page is a call like that of ``Request/value()``, with its retries, tokens, cache and stubs, inside the scope in which
    /// this is called. The request object stays as it is: only the URL of a call is another. What a page gives is the first
    /// value of ``Request/start()``, which has to call `sendRequest()` when it is called, as for ``Request/reply()``.
    ///
    /// The list ends where ``nextPage(after:_:)`` says so, after `atMost` pages, and before a page that would be at a URL which
    /// has been fetched already. It fails before a page that would be at another scheme, host or port than the first one.
    ///
    /// A loop over `values` whose task is cancelled ends without an error, as if the list were complete: say
    /// `try Task.checkCancellation()` after it.
    ///
    /// - Parameter atMost: How many pages to fetch at most.
    /// - Returns: A publisher that does nothing until a page is asked for, and fetches one at a time. Each subscription begins
    ///   with the first page, and fails with what the call of a page fails with: with ``RequestError/noValue`` if it ends without
    ///   a value, and with ``RequestError/nonHTTPResponse`` if that came without a reply. A page at another origin is
    ///   ``RequestError/foreignPage(_:)``. Dropping it cancels the call that is under way.
    public func pages(atMost: Int = .max) -> AnyPublisher<ModelType, any Error> {
        guard atMost > 0 else { return Empty().eraseToAnyPublisher() }
        let origin = PageOrigin()
        return Deferred {
            let pages = PageCalls(of: self, from: origin, atMost: atMost)
            return Rounds(isLast: { pages.isOver }) { _ in pages.next() }
        }
        .eraseToAnyPublisher()
    }
}
