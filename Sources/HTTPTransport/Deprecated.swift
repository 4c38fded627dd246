// The former names of types. They are removed after one version.

/// The former name of ``ExchangeRequest/Event``.
@available(*, deprecated, renamed: "ExchangeRequest.Event")
public typealias ExchangeEvent = ExchangeRequest.Event

/// The former name of ``ExchangeRequest/Limits``.
@available(*, deprecated, renamed: "ExchangeRequest.Limits")
public typealias ExchangeLimits = ExchangeRequest.Limits

/// The former name of ``ExchangeRequest/Progress``.
@available(*, deprecated, renamed: "ExchangeRequest.Progress")
public typealias ExchangeProgress = ExchangeRequest.Progress

/// The former place of ``HTTPHeaders/secretNames``.
@available(*, deprecated, message: "Use HTTPHeaders.secretNames.")
public enum SecretHeaders {
    /// The same as ``HTTPHeaders/secretNames``.
    public static var `default`: Set<String> { HTTPHeaders.secretNames }
}

#if os(Linux) || os(Android)
/// The former name of ``CurlSession/LibraryError``.
@available(*, deprecated, renamed: "CurlSession.LibraryError")
public typealias CurlError = CurlSession.LibraryError
#endif
