import Foundation

/// An exclusive lock of a file among processes (`flock`), until it is released with its value.
package final class FileLock: Sendable {
    private let descriptor: FileDescriptor

    /// Waits for the lock. Blocks.
    package init(_ descriptor: consuming FileDescriptor) throws {
        self.descriptor = descriptor
        let number = self.descriptor.number
        _ = try FileDescriptor.check { flock(number, LOCK_EX) }
    }

    /// Unlocks explicitly: a process that is starting has a copy of the descriptor for a moment, which keeps the lock.
    deinit { flock(descriptor.number, LOCK_UN) }
}
