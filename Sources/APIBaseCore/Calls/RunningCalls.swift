import Basics

/// Work that ``APIBase/cancelAll()`` ends.
protocol CancelableWork: AnyObject, Sendable {
    /// The class of the request object.
    var type: any AnyObject.Type { get }

    /// The stubs or the recording of the scope in which the work was started; `nil` for none.
    var scopeOwner: AnyObject? { get }

    /// Ends the work, unless it has ended.
    ///
    /// - Returns: A function that closes its connections, and tells its reader with `CancellationError`.
    func cancelWithAll() -> () -> Void
}

/// The calls that run, and series of calls.
///
/// Each has a numbered place, so that a call costs two short locks and no search. One list is for all scopes, since
/// only `cancelAll()` looks through it.
final class RunningCalls: Sendable {
    static let shared = RunningCalls()

    private enum Entry {
        case none
        /// A call, which leaves when it ends.
        case call(Call)
        /// Work that leaves when it is released.
        case work(WeakWork)

        var work: (any CancelableWork)? {
            switch self {
            case .none: nil
            case .call(let call): call
            case .work(let weak): weak.work
            }
        }
    }

    private struct WeakWork {
        weak var work: (any CancelableWork)?
    }

    private struct State {
        var entries: [Entry] = []
        var free: [Int] = []

        mutating func add(_ entry: Entry) -> Int {
            guard let place = free.popLast() else {
                entries.append(entry)
                return entries.count - 1
            }
            entries[place] = entry
            return place
        }
    }

    private let state = Locked(State())

    /// Adds a call that begins, and returns its place.
    func add(_ call: Call) -> Int { state.withLock { $0.add(.call(call)) } }

    /// Adds work that is retained elsewhere, and returns its place.
    func addWeakly(_ work: any CancelableWork) -> Int { state.withLock { $0.add(.work(WeakWork(work: work))) } }

    func remove(_ place: Int) {
        // Released outside the lock.
        let entry = state.withLockUnchecked { state in
            defer {
                state.entries[place] = .none
                state.free.append(place)
            }
            return state.entries[place]
        }
        withExtendedLifetime(entry) {}
    }

    /// The work that runs at this moment in a scope.
    func all(in scopeOwner: AnyObject?) -> [any CancelableWork] {
        state.withLockUnchecked { $0.entries }.compactMap(\.work).filter { $0.scopeOwner === scopeOwner }
    }
}
