import Basics
import HTTPTransport
internal import StrictJSON

/// The reading of a response by the code that decodes it: a subscriber while the response is delivered, or the task
/// that has awaited it. Decoding ends early if the value is not wanted any more.
@usableFromInline enum Delivery {
    /// The call whose response the running code reads, until it has been read. Tasks that the reader starts have this
    /// too, may outlive the call, and decode other things.
    @TaskLocal private static var current: Locked<Call?>?

    /// The call whose response is being read.
    static var runningCall: Call? { current?.withLock { $0 } }

    /// The response has been read. What its reader does with the value is no part of the delivery.
    @usableFromInline static func end() { current.map(release) }

    /// Runs code that reads the response of a call.
    static func run<Value>(of call: Call, _ body: () throws -> Value) rethrows -> Value {
        let reading = Locked<Call?>(call)
        defer { release(reading) }
        return try $current.withValue(reading, operation: body)
    }

    private static func release(_ reading: Locked<Call?>) {
        let call = reading.withLock { $0.take() }
        withExtendedLifetime(call) {}
    }

    /// Decodes the response that is being read.
    ///
    /// - Throws: The error of the call if it is canceled or its deadline passes, and those of `decode`.
    static func decoding<Model>(_ decode: () throws -> Model) throws -> Model {
        guard let current else { return try decode() }
        let reason = { @Sendable in current.withLock { $0 }?.reasonToStop() }
        let result = Result { try DecodingStop.$reason.withValue(reason, operation: decode) }
        if let error = runningCall?.readingError { throw error }
        return try result.get()
    }
}

extension Call {
    /// The error with which decoding has ended early.
    fileprivate var readingError: (any Error)? { state.withLock { $0.readingError } }

    fileprivate func reasonToStop() -> (any Error)? {
        let (isAwaited, known) = state.withLock { ($0.isAwaited, $0.readingError) }
        if let known { return known }
        let isWanted = isAwaited && !(isReadByTask && Task.isCancelled)
        let error: (any Error)? = isWanted ? timeout : CancellationError()
        if let error { state.withLock { $0.readingError = error } }
        return error
    }
}
