#if os(Linux) || os(Android)
import CCurl
import Dispatch

/// One thread of a session.
final class CurlHand: Sendable {
    /// What the thread waits for while there is nothing to do.
    let bell = DispatchSemaphore(value: 0)

    /// Runs `body` on a new thread; false if there can be none.
    static func start(_ body: @escaping @Sendable (CurlHand) -> Void) -> Bool {
        let start = Unmanaged.passRetained(Start(body: body))
        let isStarted = ccurl_thread_start(
            { context in
                guard let context else { return }
                Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body(CurlHand())
            },
            start.toOpaque()
        )
        if !isStarted { start.release() }
        return isStarted
    }

    private final class Start: Sendable {
        let body: @Sendable (CurlHand) -> Void

        init(body: @escaping @Sendable (CurlHand) -> Void) { self.body = body }
    }
}
#endif
