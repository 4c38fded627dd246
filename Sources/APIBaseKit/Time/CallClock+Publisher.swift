import HTTPTransport

extension CallClock {
    /// A publisher that finishes when this time has passed since it was first asked, never at once: what follows it may wait
    /// again, as often as it likes, without a deeper stack.
    func pause(_ duration: Duration) -> AnyPublisher<Never, any Error> {
        ColdWork { end in
            let wait = self.wait(duration) { end(.success(nil)) }
            if wait == nil { WorkerPool.run { end(.success(nil)) } }
            return wait?.cancel
        }
        .eraseToAnyPublisher()
    }
}
