/// A call that gives a list page by page, with a cursor, a number or anything else that leads to the next page. The
/// leaf class of such an endpoint conforms to it. If the `Link` header of a response names the next page, the leaf
/// conforms to ``LinkPagedRequest`` instead, and needs no method.
///
/// ```swift
/// final class BooksRequest: BooksAPI, PagedRequest {
///     typealias ModelType = Books
///     override init() { super.init(.get("/books")) }
///
///     func nextPage(after page: Books, _ response: HTTPURLResponse) -> NextPage? {
///         page.cursor.map { .query(["cursor": $0]) }
///     }
/// }
///
/// for try await books in BooksRequest().eachPage() { … }
/// ```
public protocol PagedRequest<ModelType, Failure>: Request where Self: APIBase {
    /// The page that comes after another one.
    ///
    /// - Parameters:
    ///   - page: The page that has come. An empty page need not be the last one.
    ///   - response: The head of its response.
    /// - Returns: The next page; `nil` if this is the last one.
    func nextPage(after page: ModelType, _ response: HTTPURLResponse) -> NextPage?
}

/// A list whose responses name the next page in their `Link` header, with `rel="next"` (RFC 8288).
///
/// ```swift
/// final class BooksRequest: BooksAPI, LinkPagedRequest {
///     typealias ModelType = [Book]
///     override init() { super.init(.get("/books")) }
/// }
///
/// for try await book in BooksRequest().eachElement() { … }
/// ```
public protocol LinkPagedRequest<ModelType, Failure>: PagedRequest {}

extension LinkPagedRequest {
    /// The URL that the response's `Link` header names with `rel="next"`; `nil` if it names none. For an invalid URL
    /// the call of the page fails. If a next page seems to be meant but cannot be read, the list fails.
    public func nextPage(after page: ModelType, _ response: HTTPURLResponse) -> NextPage? {
        .linked(in: response, or: request?.url)
    }
}

extension PagedRequest {
    /// The URL of the `Link` header. The compiler used this for a leaf without a method of its own, and for one whose
    /// method has another name, label or type than the requirement.
    @available(
        *,
        deprecated,
        message: """
            A list with Link headers conforms to LinkPagedRequest. Another one needs exactly \
            func nextPage(after page: ModelType, _ response: HTTPURLResponse) -> NextPage?
            """
    )
    public func nextPage(after page: ModelType, _ response: HTTPURLResponse) -> NextPage? {
        .linked(in: response, or: request?.url)
    }

    /// The pages from the first one on, each fetched when the loop asks for it:
    ///
    /// ```swift
    /// let list = OrdersRequest()
    /// for try await orders in list.eachPage() {
    ///     let total = list.response?.value(forHTTPHeaderField: "X-Total-Count")
    /// }
    /// ```
    ///
    /// The calls, the end and the errors are those of ``pages(atMost:)``. While a page is handled,
    /// ``APIBase/response`` is its head.
    ///
    /// - Parameter atMost: The maximum number of pages.
    /// - Returns: A sequence that throws `CancellationError` when its task is canceled.
    public func eachPage(atMost: Int = .max) -> CallSequence<ModelType> {
        list.eachPage(atMost: atMost)
    }

    /// The pages from the first one on, each fetched on demand. For a loop, there is ``eachPage(atMost:)``.
    ///
    /// Each page is a call like that of ``Request/value()``, with its retries, tokens, cache and stubs, in the scope in
    /// which this method is called. The request object does not change: only the URL or the body of the call differs. A page is the
    /// first value of ``Request/start()``, which must call `sendRequest()` synchronously, as for ``Request/reply()``.
    ///
    /// The list ends where ``nextPage(after:_:)`` says so, after `atMost` pages, and before a page whose URL has been
    /// fetched already. It fails before a page that has another scheme, host or port than the first one, that the
    /// response names in a way that cannot be read, or that is named by a cursor which has come before.
    ///
    /// - Parameter atMost: The maximum number of pages.
    /// - Returns: A publisher that fetches one page at a time, on demand. Each subscription begins with the first page.
    ///   It fails with the error of a page's call: with ``RequestError/noValue`` if that ends without a value, and with
    ///   ``RequestError/nonHTTPResponse`` if the value came without a response. A page at another origin is
    ///   ``RequestError/foreignPage(_:)``, and one that cannot be read ``RequestError/unreadablePage(_:)``. Canceling it cancels the current call.
    public func pages(atMost: Int = .max) -> AnyPublisher<ModelType, any Error> {
        list.pages(atMost: atMost)
    }
}

extension PagedRequest {
    /// The elements that the pages contain, in their order: `BooksRequest().eachElement(\.items)`.
    ///
    /// A page is fetched when the loop has taken all elements of the one before. Everything else is as with
    /// ``eachPage(atMost:)``.
    ///
    /// - Parameter elements: The elements of a page.
    /// - Returns: A sequence that throws as ``eachPage(atMost:)`` does.
    public func eachElement<Elements: Collection>(
        _ elements: @escaping (ModelType) -> Elements
    ) -> CallSequence<Elements.Element> {
        list.eachElement(elements)
    }
}

extension PagedRequest where ModelType: Collection {
    /// The elements of all pages, in their order: `for try await order in OrdersRequest().eachElement() { … }`.
    ///
    /// A page is fetched when the loop has taken all elements of the one before. Everything else is as with
    /// ``eachPage(atMost:)``.
    public func eachElement() -> CallSequence<ModelType.Element> {
        eachElement { $0 }
    }
}

extension PagedRequest {
    private var list: PageList<ModelType> {
        PageList(object: self, start: { self.start().failingWithAnyError }, next: nextPage)
    }
}
