import Basics
import HTTPTransport
internal import StrictJSON

/// The delivery of a response to the code that decodes it. Decoding ends early if the value is not wanted any more.
@usableFromInline final class Delivery: Sendable {
    @TaskLocal private static var current: Delivery?

    private enum State {
        case running(Call)
        case stopped(any Error)
        case over
    }

    /// Whether the running task decodes the response, after the call has ended.
    private let isInTask: Bool
    private let state: Locked<State>

    private init(of call: Call, isInTask: Bool) { (state, self.isInTask) = (Locked(.running(call)), isInTask) }

    private var call: Call? { if case .running(let call) = state.withLock({ $0 }) { call } else { nil } }

    /// The call whose response is being delivered.
    static var runningCall: Call? { current?.call }

    /// The response has been read. What its reader does with the value is no part of the delivery.
    @usableFromInline static func end() { current?.end() }

    /// Delivers a response to a subscriber.
    static func run<Value>(of call: Call, _ body: () throws -> Value) rethrows -> Value {
        try Delivery(of: call, isInTask: false).run(body)
    }

    /// Delivers the response of a call to the running task, which has awaited it.
    static func runInTask<Value>(of call: Call, _ body: () throws -> Value) rethrows -> Value {
        let delivery = Delivery(of: call, isInTask: true)
        let place = RunningCalls.shared.addWeakly(delivery)
        defer { RunningCalls.shared.remove(place) }
        return try delivery.run(body)
    }

    private func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        // Tasks that the reader starts have the task local too, and decode other things.
        defer { end() }
        return try Self.$current.withValue(self, operation: body)
    }

    private func end() {
        let last = state.withLock { state in
            defer { state = .over }
            return state
        }
        withExtendedLifetime(last) {}
    }

    /// Decodes the response that is being delivered.
    ///
    /// - Throws: The error of the call if it is canceled or its deadline passes, and those of `decode`.
    static func decoding<Model>(_ decode: () throws -> Model) throws -> Model {
        guard let current else { return try decode() }
        let result = Result { try DecodingStop.$reason.withValue({ current.stopReason() }, operation: decode) }
        if case .stopped(let error) = current.state.withLock({ $0 }) { throw error }
        return try result.get()
    }

    private func stopReason() -> (any Error)? {
        let call: Call
        switch state.withLock({ $0 }) {
        case .running(let running): call = running
        case .stopped(let error): return error
        case .over: return nil
        }
        let isAwaited = isInTask ? !Task.isCancelled : call.isAwaited
        let error: (any Error)? = isAwaited ? call.timeout : CancellationError()
        if let error { stop(with: error) }
        return error
    }

    private func stop(with error: any Error) {
        let last = state.withLock { state in
            defer { if case .running = state { state = .stopped(error) } }
            return state
        }
        withExtendedLifetime(last) {}
    }
}

extension Delivery: CancelableWork {
    var type: any AnyObject.Type { call?.type ?? Delivery.self }
    var scopeOwner: AnyObject? { call?.scopeOwner }

    func cancelWithAll() -> () -> Void {
        stop(with: CancellationError())
        return {}
    }
}
