import Basics
import HTTPTransport
internal import StrictJSON

/// The reading of a response by the code that decodes it: a subscriber while the response is delivered, or the task
/// that has awaited it. Decoding ends early if the value is not wanted any more.
@usableFromInline enum Delivery {
    /// Tasks that the reader starts have this reading too, may outlive the call, and decode other things.
    private final class Reading: StoppableReading {
        /// The call whose response is read, until it has been read, and the error with which decoding has ended early.
        private let state: Locked<(call: Call?, error: (any Error)?)>

        init(of call: Call) { state = Locked((call, nil)) }

        var call: Call? { state.withLock { $0.call } }
        var error: (any Error)? { state.withLock { $0.error } }

        func end() {
            let call = state.withLock { $0.call.take() }
            withExtendedLifetime(call) {}
        }

        func reasonToStop() -> (any Error)? {
            let (call, known) = state.withLock { $0 }
            guard known == nil, let error = call?.reasonToStop() else { return known }
            state.withLock { $0.error = error }
            return error
        }
    }

    private static var current: Reading? { CurrentReading.value as? Reading }

    /// The call whose response the running code reads.
    static var runningCall: Call? { current?.call }

    /// The response has been read. What its reader does with the value is no part of the delivery.
    @usableFromInline static func end() { current?.end() }

    /// Runs code that reads the response of a call.
    static func run<Value>(of call: Call, _ body: () throws -> Value) rethrows -> Value {
        let reading = Reading(of: call)
        defer { reading.end() }
        return try CurrentReading.$value.withValue(reading, operation: body)
    }

    /// Decodes the response that is being read.
    ///
    /// - Throws: The error of the call if it is canceled or its deadline passes, and those of `decode`.
    static func decoding<Model>(_ decode: () throws -> Model) throws -> Model {
        let result = Result { try decode() }
        if let error = current?.error { throw error }
        return try result.get()
    }
}

extension Call {
    fileprivate func reasonToStop() -> (any Error)? {
        let isWanted = state.withLock { $0.isAwaited } && !(isReadByTask && Task.isCancelled)
        return isWanted ? timeout : CancellationError()
    }
}
