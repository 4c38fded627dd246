extension Publisher where Failure == Never {
    /// Stores each value in a published property, for as long as the property lives.
    public func assign(to published: inout Published<Output>.Publisher) {
        let storage = published.storage
        let receiver = ClosureSubscriber<Output, Never>(
            receiveValue: { [weak storage] value in storage?.set(value) },
            receiveCompletion: { _ in }
        )
        subscribe(receiver)
        storage.keep(AnyCancellable(guarded: receiver))
    }
}
