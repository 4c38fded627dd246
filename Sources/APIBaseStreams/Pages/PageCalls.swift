import Basics
import HTTPTransport

/// The calls of one loop or subscription over a list, one for each page.
final class PageCalls<Page> {
    private struct State {
        var visited: VisitedPages
        /// The page to fetch next; `nil` for the first one.
        var next: NextPage?
        /// The secrets of the call whose response has named it.
        var secretsOfNamer = RequestSecrets.none
        /// Whether the last page has come.
        var isOver = false
    }

    /// The call of one page.
    struct PageCall {
        let publisher: AnyPublisher<Page, any Error>
        let recorder: HeadRecorder
    }

    private let list: PageList<Page>
    private let site: CallSite
    let series: CancelableSeries
    private let state: Locked<State>

    init(of list: PageList<Page>, at site: CallSite, atMost limit: Int) {
        self.list = list
        series = site.series(of: list.object)
        self.site = site
        state = Locked(State(visited: VisitedPages(atMost: limit)))
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Makes the call of the next page; `nil` if the list has ended.
    ///
    /// - Throws: ``RequestError/unreadablePage(_:)`` or ``RequestError/foreignPage(_:)`` in place of a page that is not
    ///   fetched, since the list would seem complete.
    func next() throws -> PageCall? {
        try series.check()
        let (page, secrets, number) = state.withLock { ($0.next, $0.secretsOfNamer, $0.visited.count + 1) }
        if case .unreadable(let reason) = page { throw RequestError.unreadablePage(reason) }
        let url = url(of: page, number)
        do {
            let isWanted = try state.withLock { state in try !state.isOver && state.visited.visit(url, as: page) }
            guard isWanted else { return nil }
        } catch {
            throw error.without(secrets)
        }
        let recorder = HeadRecorder(secretsOfNamer: secrets)
        let publisher = site.run(for: page, number, of: list.object) {
            CallLocals.with(HeadRecorder.self, recorder) { list.start() }
        }
        return PageCall(publisher: publisher, recorder: recorder)
    }

    /// The URL of a page; `nil` if it cannot be built.
    private func url(of page: NextPage?, _ number: Int) -> URL? {
        if case .url(let url) = page { return url }
        return site.run(for: page, number, of: list.object) { try? list.object.buildURL() }
    }

    /// Determines the page that follows one which has been delivered.
    func follow(_ page: Page, _ reply: HeadRecorder.Reply?) throws {
        let isOpen = state.withLock { state in
            state.visited.insert(reply?.head.url)
            state.isOver = !state.visited.isOpen
            return state.visited.isOpen
        }
        guard isOpen else { return }
        guard let reply else { throw RequestError.nonHTTPResponse }
        let response = reply.head.httpURLResponse
        let next = list.next(page, response)?.resolved(against: response.url)
        state.withLock { ($0.next, $0.secretsOfNamer, $0.isOver) = (next, reply.secrets, next == nil) }
    }
}

/// The pages of a list for a subscriber, each called for when it is wanted.
final class PublishedPages<Page>: PullWork {
    private let calls: PageCalls<Page>
    private var isCalling = false
    private var failure: (any Error)?

    init(_ calls: PageCalls<Page>) { self.calls = calls }

    func nextStep(in stage: PullStage<Page>) throws -> PullStep {
        if let failure { throw failure }
        guard !isCalling else { return .parts(.max(1)) }
        guard !calls.isOver else { return .end(.finished) }
        guard stage.isWanted else { return .parts(.none) }
        guard let call = try calls.next() else { return .end(.finished) }
        isCalling = true
        var hasPage = false
        stage.attach(to: call.publisher) { [self] page in
            guard !hasPage else { return }
            (hasPage, isCalling) = (true, false)
            stage.detach()
            // Before the delivery: calls that the subscriber makes then may use the same recorder.
            let reply = call.recorder.reply
            stage.deliver(page)
            do { try calls.follow(page, reply) } catch { failure = error }
        } end: { [self] completion in
            guard !hasPage else { return }
            if case .failure(let error) = completion { failure = error } else { failure = RequestError.noValue }
        }
        return .parts(.max(1))
    }

    func clear() {}
}

/// The pages of a list for a loop, which awaits each call directly.
final class AwaitedPages<Page>: ValueSource {
    private let calls: PageCalls<Page>
    /// The last page, and its response.
    private var last: (page: Page, reply: HeadRecorder.Reply?)?

    init(_ calls: PageCalls<Page>) { self.calls = calls }

    nonisolated(nonsending) func next() async throws -> Page? {
        if let last { try calls.follow(last.page, last.reply) }
        last = nil
        guard let call = try calls.next() else { return nil }
        let page = try await call.publisher.firstValue()
        last = (page, call.recorder.reply)
        return page
    }
}

/// The elements of a list's pages for a loop.
final class AwaitedElements<Page, Elements: Collection>: ValueSource {
    private let pages: AwaitedPages<Page>
    private let elements: (Page) -> Elements
    private var page: Elements.Iterator?

    init(_ pages: AwaitedPages<Page>, _ elements: @escaping (Page) -> Elements) {
        (self.pages, self.elements) = (pages, elements)
    }

    nonisolated(nonsending) func next() async throws -> Elements.Element? {
        while true {
            if let element = page?.next() { return element }
            guard let next = try await pages.next() else { return nil }
            page = elements(next).makeIterator()
        }
    }
}

/// The pages that have been fetched, and whether there may be more.
private struct VisitedPages {
    private var remaining: Int
    /// The pages so far.
    private(set) var count = 0
    private var origin: Origin?
    private var urls: Set<URL> = []
    /// The pages that have been named by a cursor, or by what else stands in a query or a body.
    private var cursors: Set<NextPage> = []

    init(atMost limit: Int) { remaining = limit }

    /// True if there may be another page.
    var isOpen: Bool { remaining > 0 }

    /// Counts a page that is to be fetched.
    ///
    /// - Parameters:
    ///   - url: Its URL; `nil` if it has none, so that its call will fail.
    ///   - page: How it was named; `nil` for the first one.
    /// - Returns: Whether the page may be fetched; `false` at the end of the list.
    /// - Throws: ``RequestError/foreignPage(_:)`` for a page at another origin, and ``RequestError/unreadablePage(_:)``
    ///   for a cursor that has come before, since the list would seem complete without it.
    mutating func visit(_ url: URL?, as page: NextPage?) throws -> Bool {
        guard isOpen else { return false }
        (remaining, count) = (remaining - 1, count + 1)
        if let page, page.isCursor {
            guard cursors.insert(page).inserted else { throw RequestError.unreadablePage(Self.repeated) }
            if case .members = page { return true }
        }
        guard let url else { return true }
        origin = origin ?? url.origin
        guard url.origin == origin else { throw RequestError.foreignPage(url.redacted) }
        return urls.insert(url).inserted
    }

    private static let repeated = "A page before it has named the same one."

    /// Adds the URL of a response, which differs from the requested one after a redirect.
    mutating func insert(_ url: URL?) {
        if let url { urls.insert(url) }
    }
}

/// The scope and the task locals of the code that asked for a list. They apply to all of its calls.
struct CallSite {
    private let scope = CallScope.current
    private let context = CallerTaskLocals()

    /// The calls of a request object there, one after another.
    func series(of object: APIBase) -> CancelableSeries { CancelableSeries(of: object, in: scope) }

    /// Runs `body` there, for a page of a request object, with its number: `nil` for the first one.
    func run<Value>(for page: NextPage?, _ number: Int, of object: APIBase, _ body: () -> Value) -> Value {
        context.run {
            CallLocals.with(RequestChange.self, page?.change(of: object, number: number)) {
                guard let scope else { return body() }
                return scope.run(body)
            }
        }
    }
}

extension NextPage {
    /// Whether it names the page by what the leaf has read in the one before.
    fileprivate var isCursor: Bool {
        switch self {
        case .query, .members: true
        case .url, .unreadable: false
        }
    }

    /// The page, with its URL resolved against that of a response if possible.
    fileprivate func resolved(against url: URL?) -> NextPage {
        guard case .url(let own) = self, let resolved = try? url?.resolving(own.absoluteString) else { return self }
        return .url(resolved)
    }
}
