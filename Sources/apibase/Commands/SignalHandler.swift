import APIBaseKit
import Basics

/// The handling of signals. By default, Control-C removes temporary files and ends the process with exit code 130.
enum SignalHandler {
    private struct State {
        var sources: [Int32: any DispatchSourceSignal] = [:]
        var files: Set<String> = []
        /// The action in place of the default; `nil` for none.
        var handler: (@Sendable () -> Void)?
    }

    private static let state = Locked(State())

    static func start() { listen(SIGINT) }

    /// A sequence that ends with SIGINT or SIGTERM.
    static func interruption() -> AsyncStream<Never> {
        let (interruption, continuation) = AsyncStream<Never>.makeStream()
        handle { continuation.finish() }
        return interruption
    }

    /// Calls the handler for SIGINT and SIGTERM, instead of ending the process.
    static func handle(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.handler = handler }
        listen(SIGINT)
        listen(SIGTERM)
    }

    private static func listen(_ number: Int32) {
        guard state.withLock({ $0.sources[number] == nil }) else { return }
        // A source runs on a queue, where more is allowed than in a signal handler.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue(label: "apibase.signals"))
        source.setEventHandler {
            let handler = state.withLock { state in
                if let handler = state.handler { return handler }
                for file in state.files { unlink(file) }
                // Under the lock, so that no file is added meanwhile.
                _exit(130)
            }
            handler()
        }
        // Before the source is registered, a signal would be lost.
        let isRegistered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { isRegistered.signal() }
        source.resume()
        isRegistered.wait()
        state.withLockUnchecked { $0.sources[number] = source }
    }

    static func addFile(_ path: String) { state.withLock { _ = $0.files.insert(path) } }

    static func forgetFile(_ path: String) { state.withLock { _ = $0.files.remove(path) } }
}
