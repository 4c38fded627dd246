#if canImport(Darwin)
public import Darwin
#elseif canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#elseif canImport(Android)
public import Android
#else
#error("APIBaseKit supports Apple systems, Linux and Android.")
#endif

/// State that is only accessed while its lock is held.
///
/// The closure of ``withLock(_:)`` decides and returns what is to be done. The caller does it after the lock has been
/// released: it calls other code, and releases objects whose `deinit` could. The lock is not recursive.
///
/// The compiler checks that nothing else refers to the state, as for `Synchronization.Mutex`: what goes in or comes out
/// is `sending`. State that the compiler cannot check, such as Combine's subscribers, uses ``init(uncheckedState:)``
/// and ``withLockUnchecked(_:)``.
///
/// A POSIX mutex and not `Synchronization.Mutex`, which needs macOS 15, and on Linux locks with system calls that the
/// thread sanitizer does not see.
@usableFromInline
package struct Locked<State>: @unchecked Sendable {  // unchecked: the mutex protects the state
    @usableFromInline package let storage: ManagedBuffer<State, pthread_mutex_t>

    /// Creates the lock around its first state.
    @inlinable
    package init(_ state: consuming sending State) { self.init(uncheckedState: state) }

    /// Creates the lock around state of which the caller keeps no other reference, or only safe ones.
    @inlinable
    package init(uncheckedState state: State) {
        storage = LockedStorage<State>.create(minimumCapacity: 1) { buffer in
            buffer.withUnsafeMutablePointerToElements { mutex in
                mutex.initialize(to: pthread_mutex_t())
                pthread_mutex_init(mutex, nil)
            }
            return state
        }
    }

    /// A lock and its state that exist already.
    @inlinable
    package init(storage: ManagedBuffer<State, pthread_mutex_t>) { self.storage = storage }

    /// Runs `body` while the lock is held and returns its result.
    @inlinable
    package func withLock<Result, E>(
        _ body: (inout sending State) throws(E) -> sending Result
    ) throws(E) -> sending Result {
        // unchecked: under the lock, only `body` has access to the state
        nonisolated(unsafe) let (state, mutex) = storage.withUnsafeMutablePointers { ($0, $1) }
        defer { withExtendedLifetime(storage) {} }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state.pointee)
    }

    /// Runs `body` while the lock is held and returns its result, which must be safe to use without the lock.
    @inlinable
    package func withLockUnchecked<Result, E>(_ body: (inout State) throws(E) -> Result) throws(E) -> Result {
        let (state, mutex) = storage.withUnsafeMutablePointers { ($0, $1) }
        defer { withExtendedLifetime(storage) {} }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state.pointee)
    }
}

extension Locked: CustomReflectable {
    /// Empty, because `dump` would read the state without the lock.
    @usableFromInline package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The state followed by its mutex, in one allocation.
@usableFromInline
final class LockedStorage<State>: ManagedBuffer<State, pthread_mutex_t> {
    deinit {
        _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
    }
}

/// A value of a type that is not `Sendable`, where its use is safe for a reason that the compiler does not know.
///
/// Each use states that reason. Mutable state belongs in ``Locked``.
@usableFromInline
package struct UncheckedSendable<Value>: @unchecked Sendable {  // unchecked: each use gives the reason
    @usableFromInline package let value: Value

    /// Wraps the value.
    @inlinable package init(_ value: Value) { self.value = value }
}
