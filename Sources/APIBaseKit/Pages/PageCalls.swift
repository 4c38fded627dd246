import Basics
import HTTPTransport

/// The calls of one subscription to a list, one for each page.
final class PageCalls<List: PagedRequest> {
    typealias Page = List.ModelType

    private struct State {
        var visited: VisitedPages
        /// The page to fetch next; nil for the first one.
        var next: NextPage?
        /// True if the last page has come.
        var isOver = false
        /// The page that is being delivered, and the head of its response.
        var last: (page: Page, head: ResponseHead?)?
    }

    private let list: List
    private let site: CallSite
    private let state: Locked<State>

    init(of list: List, at site: CallSite, atMost limit: Int) {
        self.list = list
        self.site = site
        state = Locked(State(visited: VisitedPages(atMost: limit)))
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// The call of the next page; nil if the list has ended.
    func next() -> AnyPublisher<Page, any Error>? {
        let page = state.withLock { $0.next }
        let url = url(of: page)
        switch state.withLock({ $0.visited.visit(url) }) {
        case .finished: return nil
        case .failure(let error): return Fail(error: error).eraseToAnyPublisher()
        case nil: return call(for: page)
        }
    }

    /// The URL of a page; nil if it cannot be built.
    private func url(of page: NextPage?) -> URL? {
        if case .url(let url) = page { return url }
        return site.run(for: page, of: list) { try? list.buildURL() }
    }

    private func call(for page: NextPage?) -> AnyPublisher<Page, any Error> {
        let recorder = HeadRecorder()
        return site.run(for: page, of: list) { CallLocals.with(HeadRecorder.self, recorder) { list.start() } }
            .mapError { $0 as any Error }
            .first()
            .handleEvents(receiveOutput: { page in
                // Before the delivery: calls that the subscriber makes then may use the same recorder.
                let head = recorder.head.withLock { $0 }
                self.state.withLockUnchecked { $0.last = (page, head) }
            })
            .append(Deferred { self.follow() })
            .eraseToAnyPublisher()
    }

    /// Determines the next page after one has been delivered.
    private func follow() -> AnyPublisher<Page, any Error> {
        let (last, isOpen) = state.withLock { state in
            state.visited.insert(state.last?.head?.url)
            state.isOver = !state.visited.isOpen
            return (state.last.take(), state.visited.isOpen)
        }
        guard let (page, head) = last else { return Fail(error: RequestError.noValue).eraseToAnyPublisher() }
        guard isOpen else { return Empty().eraseToAnyPublisher() }
        guard let response = head?.httpURLResponse else {
            return Fail(error: RequestError.nonHTTPResponse).eraseToAnyPublisher()
        }
        let next = list.nextPage(after: page, response)?.resolved(against: response.url)
        state.withLock { ($0.next, $0.isOver) = (next, next == nil) }
        return Empty().eraseToAnyPublisher()
    }
}

/// The pages that have been fetched, and whether there may be more.
private struct VisitedPages {
    private var remaining: Int
    private var origin: Origin?
    private var urls: Set<URL> = []

    init(atMost limit: Int) { remaining = limit }

    /// True if there may be another page.
    var isOpen: Bool { remaining > 0 }

    /// Counts a page that is to be fetched.
    ///
    /// - Parameter url: Its URL; `nil` if it has none, so that its call will fail.
    /// - Returns: The end of the list in place of the page; `nil` if the page may be fetched. A page at another origin
    ///   is a failure, since the list would seem complete without it.
    mutating func visit(_ url: URL?) -> Subscribers.Completion<any Error>? {
        guard isOpen else { return .finished }
        remaining -= 1
        guard let url else { return nil }
        origin = origin ?? url.origin
        guard url.origin == origin else { return .failure(RequestError.foreignPage(url.redacted)) }
        return urls.insert(url).inserted ? nil : .finished
    }

    /// Adds the URL of a response, which differs from the requested one after a redirect.
    mutating func insert(_ url: URL?) {
        if let url { urls.insert(url) }
    }
}

/// The scope and the task locals of the code that asked for a list. They apply to all of its calls.
struct CallSite {
    private let scope = CallScope.current
    private let context = CallerContext()

    /// Runs `body` there, for a page of a request object: `nil` for the first one.
    func run<Value>(for page: NextPage?, of object: APIBase, _ body: () -> Value) -> Value {
        context.run {
            CallLocals.with(CurrentPage.self, page.map { CurrentPage(page: $0, of: object) }) {
                guard let scope else { return body() }
                return scope.run(body)
            }
        }
    }
}

extension NextPage {
    /// The page, with its URL resolved against that of a response if possible.
    fileprivate func resolved(against url: URL?) -> NextPage {
        guard case .url(let own) = self, let resolved = try? url?.resolving(own.absoluteString) else { return self }
        return .url(resolved)
    }
}
