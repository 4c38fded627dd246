import Dispatch

/// Something that calls a subscriber.
package protocol Delivery: AnyObject, Sendable {
    /// Hands out what may be handed out. Runs user code, which may take any time.
    func run()
}

extension Delivery {
    /// Runs the delivery on a queue of its own.
    ///
    /// On Linux that, and not the global concurrent queue, keeps a blocked subscriber from stopping others: dispatch gives
    /// every serial queue a thread, but a concurrent one no more threads than there are cores until a monitor notices
    /// seconds later.
    package func runOnQueue() {
        DispatchQueue(label: "HTTPTransport.delivery").async { self.run() }
    }
}
