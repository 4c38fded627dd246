import Basics
import HTTPTransport
internal import StrictJSON

/// The reading of a response by the code that decodes it: a subscriber while the response is delivered, or the task
/// that has awaited it. Decoding ends early if the value is not wanted any more.
@usableFromInline enum Delivery {
    /// The reader may decode other things than the response, as may tasks that it starts, which may outlive the call.
    private final class Reading: StoppableReading {
        private struct State {
            /// The call whose response is read, until it has been read.
            var call: Call?
            /// The number of decodings of the response that run, one within another.
            var decodings = 0
            /// The error with which that has ended early.
            var error: (any Error)?
        }

        private let state: Locked<State>

        init(of call: Call) { state = Locked(State(call: call)) }

        var call: Call? { state.withLock { $0.call } }

        func beginDecoding() { state.withLock { $0.decodings += 1 } }

        /// Returns the error with which decoding has ended early.
        func endDecoding() -> (any Error)? {
            state.withLock { state in
                state.decodings -= 1
                return state.error
            }
        }

        func end() {
            let last = state.withLock { state in
                defer { (state.call, state.error) = (nil, nil) }
                return state
            }
            withExtendedLifetime(last) {}
        }

        func reasonToStop() -> (any Error)? {
            let (call, known) = state.withLock { ($0.decodings > 0 ? $0.call : nil, $0.error) }
            guard let call, known == nil, let error = call.reasonToStop() else { return call == nil ? nil : known }
            state.withLock { if $0.call != nil { $0.error = error } }
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
        guard let current else { return try decode() }
        current.beginDecoding()
        let result = Result { try decode() }
        if let error = current.endDecoding() { throw error }
        return try result.get()
    }
}

extension Call {
    fileprivate func reasonToStop() -> (any Error)? {
        let isWanted = state.withLock { $0.isAwaited } && !(isReadByTask && Task.isCancelled)
        guard isWanted else { return CancellationError() }
        return timeLeft.map { $0 < .zero } == true ? timeout : nil
    }
}
