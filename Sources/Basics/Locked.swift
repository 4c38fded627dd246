#if canImport(Darwin)
public import Darwin
#elseif canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#elseif canImport(Android)
public import Android
#endif

/// State that is touched only while its lock is held.
///
/// The closure of ``withLock(_:)`` gets the state and nothing else: it decides, and returns what is to be done. Doing
/// it (calling anybody, releasing anything whose `deinit` could call anybody) is for the caller, after the lock has
/// been given back. The lock is not recursive.
///
/// A POSIX mutex rather than `Synchronization.Mutex`: that one needs macOS 15, and on Linux it locks with system calls
/// that the thread sanitizer does not see, so every use of it is reported as a race.
@usableFromInline
package struct Locked<State>: @unchecked Sendable {  // unchecked: the mutex is what makes any state safe to share
    @usableFromInline let storage: ManagedBuffer<State, pthread_mutex_t>

    /// Creates the lock around its first state.
    @inlinable
    package init(_ state: State) {
        storage = LockedStorage<State>.create(minimumCapacity: 1) { buffer in
            buffer.withUnsafeMutablePointerToElements { mutex in
                mutex.initialize(to: pthread_mutex_t())
                pthread_mutex_init(mutex, nil)
            }
            return state
        }
    }

    /// Runs `body` while the lock is held and returns what it returns.
    @inlinable
    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try storage.withUnsafeMutablePointers { state, mutex in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&state.pointee)
        }
    }
}

extension Locked: CustomReflectable {
    /// Nothing: what is behind the lock is not for `dump`, which would read it without the lock.
    @usableFromInline package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The state with its mutex behind it: one allocation.
@usableFromInline
final class LockedStorage<State>: ManagedBuffer<State, pthread_mutex_t> {
    deinit {
        _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
    }
}
