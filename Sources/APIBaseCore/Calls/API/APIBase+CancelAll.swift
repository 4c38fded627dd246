extension APIBase {
    /// Cancels the running calls of this class and its subclasses, in the scope of the running code.
    ///
    /// ```swift
    /// ShopAPI.cancelAll()          // after the user has logged out
    /// ```
    ///
    /// The awaiting code gets `CancellationError`, and so do the subscribers of a publisher. (A subscription that is
    /// canceled by itself delivers nothing.) The connections are closed. This covers whatever a call is doing: sending,
    /// receiving, waiting for a retry, at a ``gate``, for a token, or for an equal call. It covers the bodies of
    /// streams, also those that have no reader yet; downloads, whose partial files stay; event sources, which do not
    /// reconnect; lists, which fetch no further page; polls; and updates, which write no more. An exchange that equal
    /// calls share ends for all of them, since they are of the same class. A call that the refresh of a ``TokenSource``
    /// makes ends too.
    ///
    /// Combine's operator `.retry` takes the error for a failure and calls again; ``retry`` does not.
    ///
    /// Calls that begin while this method runs may or may not be canceled. Those that begin later are not affected. A
    /// response that is being delivered stays, unless it is still being decoded. So do the calls of another scope of
    /// stubs, and those of the network if this code is inside a scope. Revalidations of a ``cache`` in the background
    /// continue.
    ///
    /// The completions are delivered on the calling thread, before this method returns, or after a value that is being
    /// delivered on another thread. All calls have ended before the first completion, so that one may cancel all again.
    /// The code of a call may do so too: what is canceled in ``intercept(_:next:)`` or at ``CallEvent/began(_:)`` is
    /// not sent.
    public static func cancelAll() {
        let running = RunningCalls.shared.all(in: CallScope.current?.standInOwner).filter { isAbove($0.type) }
        // All have ended before the first is told. If that cancels all calls again, the stack does not grow.
        let ends = running.map { $0.cancelWithAll() }
        for end in ends { end() }
    }

    /// Whether a class is this one or a subclass.
    private static func isAbove(_ type: any AnyObject.Type) -> Bool {
        var type: (any AnyObject.Type)? = type
        while let known = type {
            if known == self { return true }
            type = _getSuperclass(known)
        }
        return false
    }
}
