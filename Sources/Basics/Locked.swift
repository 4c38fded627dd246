#if canImport(Darwin)
public import Darwin
#elseif canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#elseif canImport(Android)
public import Android
#endif

/// State that is only accessed while its lock is held.
///
/// The closure of ``withLock(_:)`` decides and returns what is to be done. The caller does it after the lock has been
/// released: it calls other code, and releases objects whose `deinit` could. The lock is not recursive.
///
/// No reference to an object in the state may leave the closure and be used without the lock, unless the object is safe
/// to use from several threads. The compiler does not check that.
///
/// A POSIX mutex and not `Synchronization.Mutex`, which needs macOS 15, and on Linux locks with system calls that the
/// thread sanitizer does not see.
@usableFromInline
package struct Locked<State>: @unchecked Sendable {  // unchecked: the mutex protects the state
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
