/// A call that gives a list page by page. The leaf class of such an endpoint conforms to it.
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
/// By default the `Link` header of a response names the next page. A leaf may use a cursor or a number instead, in
/// ``nextPage(after:_:)``.
public protocol PagedRequest<ModelType, Failure>: Request where Self: APIBase {
    /// The page that comes after another one.
    ///
    /// By default the URL that the response's `Link` header names with `rel="next"` (RFC 8288). This default is also
    /// used if a leaf's own method has another name, label or type than this one. The compiler gives no warning, and a
    /// list without links ends after its first page. A test that counts the pages finds this.
    ///
    /// ```swift
    /// func nextPage(after page: Books, _ response: HTTPURLResponse) -> NextPage? {
    ///     page.cursor.map { .query(["cursor": $0]) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - page: The page that has come. An empty page need not be the last one.
    ///   - response: The head of its response.
    /// - Returns: The next page; `nil` if this is the last one.
    func nextPage(after page: ModelType, _ response: HTTPURLResponse) -> NextPage?
}

extension PagedRequest {
    /// The URL that the response's `Link` header names with `rel="next"`; `nil` if it names none. For an invalid URL
    /// the call of the page fails.
    public func nextPage(after page: ModelType, _ response: HTTPURLResponse) -> NextPage? {
        guard let url = response.url ?? request?.url, let links = response.value(forHTTPHeaderField: "Link") else {
            return nil
        }
        return LinkHeader(links).target(of: "next", from: url).map(NextPage.url)
    }

    /// The pages from the first one on, each fetched on demand.
    ///
    /// Each page is a call like that of ``Request/value()``, with its retries, tokens, cache and stubs, in the scope in
    /// which this method is called. The request object does not change: only the URL of the call differs. A page is the
    /// first value of ``Request/start()``, which must call `sendRequest()` synchronously, as for ``Request/reply()``.
    ///
    /// The list ends where ``nextPage(after:_:)`` says so, after `atMost` pages, and before a page whose URL has been
    /// fetched already. It fails before a page that has another scheme, host or port than the first one.
    ///
    /// When its task is canceled, a loop over `values` ends without an error, as if the list were complete: add
    /// `try Task.checkCancellation()` after it.
    ///
    /// - Parameter atMost: The maximum number of pages.
    /// - Returns: A publisher that fetches one page at a time, on demand. Each subscription begins with the first page.
    ///   It fails with the error of a page's call: with ``RequestError/noValue`` if that ends without a value, and with
    ///   ``RequestError/nonHTTPResponse`` if the value came without a response. A page at another origin is
    ///   ``RequestError/foreignPage(_:)``. Canceling it cancels the current call.
    public func pages(atMost: Int = .max) -> AnyPublisher<ModelType, any Error> {
        guard atMost > 0 else { return Empty().eraseToAnyPublisher() }
        let site = CallSite()
        return Deferred {
            let pages = PageCalls(of: self, at: site, atMost: atMost)
            return RepeatingPublisher(isLast: { pages.isOver }) { _ in pages.next() }
        }
        .eraseToAnyPublisher()
    }
}
