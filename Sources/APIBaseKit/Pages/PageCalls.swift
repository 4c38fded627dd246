import Basics
import HTTPTransport

/// The calls of one subscription to a list, each for the page that the one before has led to.
final class PageCalls<List: PagedRequest> {
    typealias Page = List.ModelType

    private struct State {
        var trail: PageTrail
        /// The page to fetch next; nil for the first one.
        var next: NextPage?
        /// Whether the last page has come.
        var isOver = false
        /// The page that is being delivered, and the head of its reply.
        var last: (page: Page, head: ResponseHead?)?
    }

    private let list: List
    private let origin: PageOrigin
    private let state: Locked<State>

    init(of list: List, from origin: PageOrigin, atMost limit: Int) {
        self.list = list
        self.origin = origin
        state = Locked(State(trail: PageTrail(atMost: limit)))
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// The call of the next page; nil if the list has ended.
    func next() -> AnyPublisher<Page, any Error>? {
        let page = state.withLock { $0.next }
        let url = url(of: page)
        switch state.withLock({ $0.trail.goOn(to: url) }) {
        case .finished: return nil
        case .failure(let error): return Fail(error: error).eraseToAnyPublisher()
        case nil: return call(for: page)
        }
    }

    /// The URL of a page; nil if it cannot be built.
    private func url(of page: NextPage?) -> URL? {
        if case .url(let url) = page { return url }
        return origin.run(for: page, of: list) { try? list.buildURL() }
    }

    private func call(for page: NextPage?) -> AnyPublisher<Page, any Error> {
        let recorder = HeadRecorder()
        return origin.run(for: page, of: list) { CallLocals.with(HeadRecorder.self, recorder) { list.start() } }
            .mapError { $0 as any Error }
            .first()
            .handleEvents(receiveOutput: { page in
                // Before it is delivered: calls that its reader makes may use the same recorder.
                let head = recorder.head.withLock { $0 }
                self.state.withLock { $0.last = (page, head) }
            })
            .append(Deferred { self.follow() })
            .eraseToAnyPublisher()
    }

    /// A page has been delivered: finds out which follows it.
    private func follow() -> AnyPublisher<Page, any Error> {
        let (last, isOpen) = state.withLock { state in
            state.trail.passed(state.last?.head?.url)
            state.isOver = !state.trail.isOpen
            return (state.last.take(), state.trail.isOpen)
        }
        guard let (page, head) = last else { return Fail(error: RequestError.noValue).eraseToAnyPublisher() }
        guard isOpen else { return Empty().eraseToAnyPublisher() }
        guard let response = head?.httpURLResponse else {
            return Fail(error: RequestError.nonHTTPResponse).eraseToAnyPublisher()
        }
        let next = list.nextPage(after: page, response)?.seen(from: response.url)
        state.withLock { ($0.next, $0.isOver) = (next, next == nil) }
        return Empty().eraseToAnyPublisher()
    }
}

extension NextPage {
    /// The page, its URL being seen from that of a reply if it can be.
    fileprivate func seen(from url: URL?) -> NextPage {
        guard case .url(let own) = self, let seen = try? url?.resolving(own.absoluteString) else { return self }
        return .url(seen)
    }
}
