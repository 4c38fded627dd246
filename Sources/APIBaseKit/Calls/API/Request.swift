/// A call of one endpoint: what a leaf class conforms to, and nothing above it.
///
/// Services whose own code has a `Request` already can say ``APIRequest`` instead.
public protocol Request<ModelType, Failure> {
    /// The result of the call.
    associatedtype ModelType
    /// The error that it can fail with: by default any.
    associatedtype Failure: Error = any Error

    /// The call, as a publisher that sends the request when it is subscribed to.
    func start() -> AnyPublisher<ModelType, Failure>
}

/// ``Request``, for code that has another type of that name.
public typealias APIRequest = Request
