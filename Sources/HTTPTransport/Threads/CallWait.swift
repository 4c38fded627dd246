/// A wait that can be given up.
package struct CallWait: Sendable {
    /// Ends it; its action is not run any more, unless it runs already.
    package let cancel: @Sendable () -> Void

    package init(cancel: @escaping @Sendable () -> Void) {
        self.cancel = cancel
    }
}
