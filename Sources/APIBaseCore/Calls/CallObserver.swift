import Basics

/// Receives the events of all calls that begin from now on: for `apibase --inspect`.
package enum CallObserver {
    private static let observer = Locked<(@Sendable (CallEvent) -> Void)?>(nil)

    package static var current: (@Sendable (CallEvent) -> Void)? {
        get { observer.withLock { $0 } }
        set { observer.withLock { $0 = newValue } }
    }
}
