import Basics
import HTTPTransport

/// A call of one endpoint. Only leaf classes conform to it.
///
/// Code that has another type named `Request` can use ``APIRequest`` instead.
public protocol Request<ModelType, Failure> {
    /// The result of the call.
    associatedtype ModelType
    /// The error of the call, by default any.
    associatedtype Failure: Error = any Error

    /// The call, as a publisher that sends the request when it is subscribed to.
    func start() -> AnyPublisher<ModelType, Failure>
}

/// ``Request``, for code that has another type with that name.
public typealias APIRequest = Request

extension Request where Self: JSONAPI, ModelType: Decodable, Failure == any Error {
    /// The call. Its value is the decoded body, as with ``JSONAPI/decoded(_:)``.
    @inlinable public func start() -> AnyPublisher<ModelType, any Error> { decoded(ModelType.self) }
}

extension Request where Self: JSONAPI, ModelType == Void, Failure == any Error {
    /// The call. It gives a value when the response is accepted, and ignores the body.
    @inlinable public func start() -> AnyPublisher<Void, any Error> { accepted() }
}

extension Request where Self: JSONAPI, ModelType == Data, Failure == any Error {
    /// The call. Its value is the body, not decoded.
    @inlinable public func start() -> AnyPublisher<Data, any Error> { bytes() }
}

// MARK: Awaiting

extension Request {
    /// Starts the call, and returns its first value.
    ///
    /// Canceling the task cancels the call and throws at once. A canceled task sends nothing.
    ///
    /// - Returns: The first value; later ones are canceled.
    /// - Throws: The ``Failure`` of the call, `CancellationError`, or ``RequestError/noValue`` if the call finishes
    ///   without a value.
    @inlinable nonisolated(nonsending) public func value() async throws -> ModelType {
        try Task.checkCancellation()
        return try await start().firstValue()
    }

    /// Starts the call, and returns its first value with the head of its response.
    ///
    /// - Returns: The value and the response.
    /// - Throws: The errors of ``value()``, and ``RequestError/nonHTTPResponse`` if there was no response, as with a
    ///   `start()` that sends nothing.
    nonisolated(nonsending) public func reply() async throws -> (value: ModelType, response: HTTPURLResponse) {
        try Task.checkCancellation()
        let recorder = HeadRecorder()
        let value = try await CallLocals.with(HeadRecorder.self, recorder) { start() }.firstValue()
        guard let response = recorder.reply?.head.httpURLResponse else { throw RequestError.nonHTTPResponse }
        return (value, response)
    }
}

extension AnyPublisher {
    /// Subscribes, and returns the first value. Later ones are canceled.
    ///
    /// Without operators of users, the awaiting task itself decodes the response, off its actor.
    ///
    /// Inlined, so that it is specialized for the type of the value: generics at run time take a tenth of a call.
    @inlinable package nonisolated(nonsending) func firstValue() async throws -> Output {
        let actor = #isolation
        if let call = madeOf as? MappedCall<Output> {
            let reply = try await call.source.reply()
            return actor == nil ? try call.value(of: reply) : try await call.valueOffActor(of: reply)
        }
        let publisher = mapError { $0 as any Error }
        let first = FirstValue<Output>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                first.wait(for: publisher) { result in
                    // Unsafe: the publisher does not use the value after it has delivered it.
                    nonisolated(unsafe) let value = result.unwrapped()
                    continuation.resume(with: value)
                    first.cancel()
                }
            }
        } onCancel: {
            first.cancel(throwing: CancellationError())
        }
    }
}

extension CallSource {
    /// Starts the call, and returns its response.
    @usableFromInline nonisolated(nonsending) func reply() async throws -> AwaitedResponse {
        let call = call(for: .task(nil))
        return try await withTaskCancellationHandler {
            // Unsafe: the call takes its subscriber out of its state before it resumes it, and always does.
            try await withUnsafeThrowingContinuation { call.begin(for: $0) }
        } onCancel: {
            call.cancel()
        }
    }
}

extension Result where Failure == any Error {
    /// The value, or ``RequestError/noValue``.
    @inlinable package func unwrapped<Value>() -> Result<Value, any Error> where Success == Value? {
        flatMap { $0.map { .success($0) } ?? .failure(RequestError.noValue) }
    }
}
