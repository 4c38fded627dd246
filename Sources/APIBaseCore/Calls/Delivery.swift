import Basics
import HTTPTransport
internal import StrictJSON

/// The reading of a response by the code that decodes it: a subscriber while the response is delivered, or the task
/// that has awaited it. Decoding ends early if the value is not wanted any more.
@usableFromInline enum Delivery {
    /// The call whose response the running code reads. Tasks that the reader starts have it too, and decode other
    /// things: for them the call tells whether its response has been read.
    @TaskLocal private static var current: Call?

    /// The call whose response is being read.
    static var runningCall: Call? { current.flatMap { $0.isBeingRead ? $0 : nil } }

    /// The response has been read. What its reader does with the value is no part of the delivery.
    @usableFromInline static func end() { current?.endReading() }

    /// Runs code that reads the response of a call.
    static func run<Value>(of call: Call, _ body: () throws -> Value) rethrows -> Value {
        try $current.withValue(call, operation: body)
    }

    /// Decodes the response that is being read.
    ///
    /// - Throws: The error of the call if it is canceled or its deadline passes, and those of `decode`.
    static func decoding<Model>(_ decode: () throws -> Model) throws -> Model {
        guard let current else { return try decode() }
        let result = Result { try DecodingStop.$reason.withValue({ current.reasonToStop() }, operation: decode) }
        if let error = current.readingError { throw error }
        return try result.get()
    }
}

extension Call {
    fileprivate var isBeingRead: Bool { state.withLock { !$0.isRead } }

    fileprivate func endReading() { state.withLock { $0.isRead = true } }

    /// The error with which decoding has ended early.
    fileprivate var readingError: (any Error)? { state.withLock { $0.readingError } }

    fileprivate func reasonToStop() -> (any Error)? {
        let (isRead, isAwaited, known) = state.withLock { ($0.isRead, $0.isAwaited, $0.readingError) }
        if isRead || known != nil { return known }
        let isWanted = isAwaited && !(isReadByTask && Task.isCancelled)
        let error: (any Error)? = isWanted ? timeout : CancellationError()
        if let error { state.withLock { $0.readingError = error } }
        return error
    }
}
