package import HTTPTransport
import PortableCombine

/// Compares the calls of a scope and their answers with something else, such as the document of the API.
package protocol CallInspector: Sendable {
    /// Whether it compares a call.
    func includes(_ call: StubbedCall) -> Bool

    /// Takes note of a call that it compares, after it is known what answers it.
    ///
    /// - Returns: A watcher of the response, if it is of interest.
    func observe(_ call: StubbedCall) -> (any HopWatcher)?

    /// The thing to compare with. Of several inspectors of one, the innermost that includes a call observes it alone.
    var subject: ObjectIdentifier { get }

    /// The problems so far, and where the stub of each was set up.
    var problems: [(problem: StubProblem, place: SourcePlace?)] { get }
}

/// An inspector as a scope of its own, which answers nothing.
package final class InspectorScope: NetworkStandIn {
    private let inspector: any CallInspector

    package init(_ inspector: any CallInspector) { self.inspector = inspector }

    package var answerClock: StubClock? { nil }

    package func answer(to call: inout PendingCall) -> PendingCall.Answer? { nil }

    package func fallback(for call: PendingCall) -> PendingCall.Fallback? { nil }

    package func observe(_ call: inout PendingCall) { call.beObserved(by: inspector) }

    package func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        hop(request)
    }
}

extension PendingCall {
    mutating func beObserved(by inspector: any CallInspector) {
        guard inspector.includes(call), inspected.insert(inspector.subject).inserted else { return }
        if let watcher = inspector.observe(call) { watchers.append(watcher) }
    }
}
