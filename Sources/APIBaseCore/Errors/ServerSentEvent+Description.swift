extension ServerSentEvent: CustomStringConvertible, CustomReflectable {
    /// The type and the beginning of the data, without control characters and values of secret names. An error of a
    /// server, ``RequestError/failureEvent(_:)``, may repeat what it was sent, so it is also without the secrets of its
    /// request.
    public var description: String {
        "\(shownType): \(HTTPFailure.presentable(data, without: secrets))"
    }

    /// The type as errors show it.
    var shownType: String { HTTPFailure.presentable(type, without: secrets) }

    /// The mirror for `dump`: the description only.
    public var customMirror: Mirror { Mirror(self, children: ["event": description]) }
}
