import APIBaseKit
import Basics

/// The handling of Control-C: the process ends with 130, without the files that are of no use afterwards.
enum Interruption {
    private struct State {
        var source: (any DispatchSourceSignal)?
        var files: Set<String> = []
        /// The action that replaces the end; `nil` for none.
        var handler: (@Sendable () -> Void)?
    }

    private static let state = Locked(State())

    /// From now on the process ends by itself.
    static func listen() {
        guard state.withLock({ $0.source == nil }) else { return }
        // On a queue, unlike in a handler of a signal, more is allowed than to end.
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(
            signal: SIGINT,
            queue: DispatchQueue(label: "apibase.interruption")
        )
        source.setEventHandler {
            let handler = state.withLock { state in
                if let handler = state.handler { return handler }
                for file in state.files { unlink(file) }
                // Under the lock, so that none is added.
                _exit(130)
            }
            handler()
        }
        // Until then, a signal would be lost.
        let isListening = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { isListening.signal() }
        source.resume()
        isListening.wait()
        state.withLock { $0.source = source }
    }

    /// From now on this happens, and the process goes on.
    static func handle(_ handler: @escaping @Sendable () -> Void) {
        listen()
        state.withLock { $0.handler = handler }
    }

    /// A file that is to be removed.
    static func remove(_ path: String) { state.withLock { _ = $0.files.insert(path) } }

    /// A file that is not, or not any more.
    static func keep(_ path: String) { state.withLock { _ = $0.files.remove(path) } }
}
