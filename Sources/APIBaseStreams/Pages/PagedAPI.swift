/// An API all of whose lists name their next page in one way, so that each list may be an ``APICall``:
///
/// ```swift
/// class BooksAPI: JSONAPI, PagedAPI {
///     func nextPage(after page: Any, _ response: HTTPURLResponse) -> NextPage? {
///         (page as? any Page)?.cursor.map { .query(["cursor": $0]) }
///     }
/// }
///
/// extension BooksAPI {
///     static func books() -> APICall<Books> { BooksAPI(.get("/books")).call() }
/// }
///
/// for try await book in BooksAPI.books().eachElement(\.items) { … }
/// ```
///
/// Without the method, the `Link` header of a response names the next page, as with ``LinkPagedRequest``. A list that
/// differs is a leaf class, which conforms to ``PagedRequest``. The class that conforms has the method if a class below
/// it is to have another one, which overrides it.
public protocol PagedAPI where Self: JSONAPI {
    /// The page that comes after another one: see ``PagedRequest/nextPage(after:_:)``.
    ///
    /// - Parameters:
    ///   - page: The value of the call.
    ///   - response: The head of its response.
    /// - Returns: The next page; `nil` if this is the last one.
    func nextPage(after page: Any, _ response: HTTPURLResponse) -> NextPage?
}

extension PagedAPI {
    /// The URL that the response's `Link` header names with `rel="next"`; `nil` if it names none.
    public func nextPage(after page: Any, _ response: HTTPURLResponse) -> NextPage? {
        .linked(in: response, or: request?.url)
    }
}

extension APICall {
    /// The pages of a list of a ``PagedAPI``, as those of ``PagedRequest/eachPage(atMost:)``.
    ///
    /// - Returns: A sequence that throws ``RequestError/unreadablePage(_:)`` after the first page if the class is no
    ///   ``PagedAPI``, since the list would seem complete.
    public func eachPage(atMost: Int = .max) -> CallSequence<ModelType> { list.eachPage(atMost: atMost) }

    /// The elements of all pages of a list of a ``PagedAPI``, as those of ``PagedRequest/eachElement(_:)``.
    public func eachElement<Elements: Collection>(
        _ elements: @escaping (ModelType) -> Elements
    ) -> CallSequence<Elements.Element> {
        list.eachElement(elements)
    }

    /// The pages of a list of a ``PagedAPI``, as those of ``PagedRequest/pages(atMost:)``.
    public func pages(atMost: Int = .max) -> AnyPublisher<ModelType, any Error> { list.pages(atMost: atMost) }

    private var list: PageList<ModelType> {
        PageList(object: api, start: start) { [api] page, response in
            guard let api = api as? any PagedAPI else {
                return .unreadable("\(type(of: api)) is no PagedAPI, which would say how pages follow one another.")
            }
            return api.nextPage(after: page, response)
        }
    }
}

extension APICall where ModelType: Collection {
    /// The elements of all pages of a list of a ``PagedAPI``.
    public func eachElement() -> CallSequence<ModelType.Element> { eachElement { $0 } }
}
