import Basics
import HTTPTransport

/// One subscription to the pages of a list: one call after another, each when a page is asked for.
///
/// Calls that answer at once are followed by the next in a loop, so that many pages need no deep stack.
final class PageSubscription<List: PagedRequest> {
    typealias Downstream = AnySubscriber<List.ModelType, any Error>

    private struct State {
        /// Nil once the stream is over.
        var downstream: Downstream?
        var trail: PageTrail
        var demand = Subscribers.Demand.none
        /// The page to fetch next; nil for the first one.
        var next: NextPage?
        /// Whether a call is under way.
        var isFetching = false
        /// Whether it has given its page.
        var hasPage = false
        var call: AnyCancellable?
        /// Whether somebody is starting calls.
        var isServing = false
        /// The completion of the list; nil if it is not known yet.
        var end: Subscribers.Completion<any Error>?
    }

    private enum Turn {
        case nothing
        case fetch(NextPage?)
        case end(Subscribers.Completion<any Error>, Downstream)
    }

    private let list: List
    private let origin: PageOrigin
    private let state: Locked<State>

    init(of list: List, from origin: PageOrigin, atMost limit: Int, for downstream: Downstream) {
        self.list = list
        self.origin = origin
        state = Locked(State(downstream: downstream, trail: PageTrail(atMost: limit)))
    }

    private func serve() {
        let isFree = state.withLock { state in
            defer { state.isServing = true }
            return !state.isServing
        }
        guard isFree else { return }
        while true {
            switch state.withLock({ Self.turn(&$0) }) {
            case .nothing: return
            case .fetch(let page): fetch(page)
            case .end(let completion, let downstream): return downstream.receive(completion: completion)
            }
        }
    }

    /// The next step. After `nothing` and `end`, no thread starts calls.
    private static func turn(_ state: inout State) -> Turn {
        if let downstream = state.downstream {
            if let end = state.end {
                state.downstream = nil
                return .end(end, downstream)
            }
            if state.demand > .none, !state.isFetching {
                (state.isFetching, state.hasPage) = (true, false)
                return .fetch(state.next)
            }
        }
        state.isServing = false
        return .nothing
    }
}

// MARK: A page

extension PageSubscription {
    private func fetch(_ page: NextPage?) {
        let url = url(of: page)
        let goesOn = state.withLock { state in
            state.end = state.trail.goOn(to: url)
            return state.end == nil
        }
        guard goesOn else { return }
        let recorder = ReplyRecorder()
        let call = origin.run(for: page, of: list) { CallLocals.with(HeadRecorder.self, recorder) { list.start() } }
            .mapError { $0 as any Error }
            .first()
            .sink { completion in
                self.end(completion)
            } receiveValue: { page in
                self.receive(page, recorder.head.withLock { $0 }?.httpURLResponse)
            }
        let isUnwanted = state.withLock { state in
            if state.isFetching, state.downstream != nil { state.call = call }
            return state.downstream == nil
        }
        if isUnwanted { call.cancel() }
    }

    /// The URL of a page; nil if it cannot be built.
    private func url(of page: NextPage?) -> URL? {
        if case .url(let url) = page { return url }
        return origin.run(for: page, of: list) { try? list.buildURL() }
    }

    private func receive(_ page: List.ModelType, _ response: HTTPURLResponse?) {
        let downstream = state.withLock { state in
            state.demand -= 1
            state.hasPage = true
            return state.downstream
        }
        guard let downstream else { return }
        let more = downstream.receive(page)
        let asksForNext = state.withLock { state in
            state.demand += more
            state.trail.passed(response?.url)
            if response == nil { state.end = .failure(RequestError.nonHTTPResponse) }
            if !state.trail.isOpen { state.end = .finished }
            return state.downstream != nil && state.end == nil
        }
        guard asksForNext, let response else { return }
        let next = list.nextPage(after: page, response)?.seen(from: response.url)
        state.withLock { state in
            if next == nil { state.end = .finished }
            state.next = next
        }
    }

    private func end(_ completion: Subscribers.Completion<any Error>) {
        let call = state.withLock { state in
            state.isFetching = false
            switch completion {
            case .failure: state.end = completion
            case .finished: if !state.hasPage { state.end = .failure(RequestError.noValue) }
            }
            defer { state.call = nil }
            return state.call
        }
        withExtendedLifetime(call) {}
        serve()
    }
}

extension PageSubscription: Subscription {
    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.demand += demand }
        serve()
    }

    func cancel() {
        let remains = state.withLock { state in
            defer { (state.downstream, state.call) = (nil, nil) }
            return (state.downstream, state.call)
        }
        remains.1?.cancel()
    }
}

extension NextPage {
    /// The page, its URL being seen from that of a reply if it can be.
    fileprivate func seen(from url: URL?) -> NextPage {
        guard case .url(let own) = self, let seen = try? url?.resolving(own.absoluteString) else { return self }
        return .url(seen)
    }
}
