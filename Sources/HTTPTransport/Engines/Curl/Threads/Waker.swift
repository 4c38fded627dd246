#if os(Linux) || os(Android)
import CCurl

/// Wakes the leader of an event loop from its sleep in `epoll_wait`.
final class Waker: Sendable {
    let descriptor: Int32

    /// nil if no descriptor is free.
    init?() {
        descriptor = ccurl_waker_open()
        guard descriptor >= 0 else { return nil }
    }

    deinit { ccurl_waker_close(descriptor) }

    func wake() { ccurl_waker_wake(descriptor) }
}
#endif
