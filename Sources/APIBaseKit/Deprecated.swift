import HTTPTransport

// The former names. Each is removed one version after its deprecation.

/// The former name of ``RedactionRules``.
@available(*, deprecated, renamed: "RedactionRules")
public typealias Redaction = RedactionRules

/// The former name of ``CallEvent/Info``.
@available(*, deprecated, renamed: "CallEvent.Info")
public typealias CallInfo = CallEvent.Info

/// The former name of ``RequestError/InvalidURL``.
@available(*, deprecated, renamed: "RequestError.InvalidURL")
public typealias InvalidURL = RequestError.InvalidURL

/// The former name of ``TokenSource/OAuthError``.
@available(*, deprecated, renamed: "TokenSource.OAuthError")
public typealias OAuthError = TokenSource.OAuthError

/// The former name of ``ResponseCache/Key``.
@available(*, deprecated, renamed: "ResponseCache.Key")
public typealias ResponseKey = ResponseCache.Key

/// The former name of ``CacheOutcome``.
@available(*, deprecated, renamed: "CacheOutcome")
public typealias CacheUse = CacheOutcome

/// The former name of ``RetryPolicy/FailedAttempt``.
@available(*, deprecated, renamed: "RetryPolicy.FailedAttempt")
public typealias FailedAttempt = RetryPolicy.FailedAttempt

/// The former name of ``RetryPolicy/StopReason``.
@available(*, deprecated, renamed: "RetryPolicy.StopReason")
public typealias RetryStopReason = RetryPolicy.StopReason

/// The former name of ``RetryPolicy/StopReason``.
@available(*, deprecated, renamed: "RetryPolicy.StopReason")
public typealias RetryRefusal = RetryPolicy.StopReason

extension CallTimings {
    /// The former name of ``retryStopReason``.
    @available(*, deprecated, renamed: "retryStopReason")
    public var retryRefusal: RetryPolicy.StopReason? { retryStopReason }
}

extension RequestError {
    /// The former name of ``bodyAlreadyConsumed``.
    @available(*, deprecated, renamed: "bodyAlreadyConsumed")
    public static var bodyTaken: RequestError { .bodyAlreadyConsumed }
}

extension HTTPFailure {
    /// The former name of ``decode(_:decoder:)``.
    @available(*, deprecated, renamed: "decode(_:decoder:)")
    public func decode<Problem: Decodable>(_ type: Problem.Type, using decoder: JSONDecoder?) throws -> Problem {
        try decode(type, decoder: decoder)
    }
}
