extension ServerSentEvent: CustomStringConvertible, CustomReflectable {
    /// The type and the beginning of the data, without control characters and values of secret names: an error of a
    /// server, ``RequestError/failureEvent(_:)``, may repeat what it was sent.
    public var description: String { "\(type): \(HTTPFailure.presentable(data))" }

    /// The mirror for `dump`: the description only.
    public var customMirror: Mirror { Mirror(self, children: ["event": description]) }
}
