import APIBaseRecording
import Basics

/// A network that answers when the gate is opened, or sends a first piece before.
final class GatedNetwork: HTTPSession {
    private let gate: Gate
    private let firstPiece: String?

    init(_ gate: Gate, firstPiece: String? = nil) {
        self.gate = gate
        self.firstPiece = firstPiece
    }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        let url = request.urlRequest.url ?? URL(fileURLWithPath: "/")
        let head = ExchangeRequest.Event.head(ResponseHead(statusCode: 200, headers: [:], url: url))
        let first = firstPiece.map { [head, .body(Data($0.utf8))] } ?? []
        let last = (first.isEmpty ? [head] : []) + [.body(Data("late".utf8))]
        let gated = Deferred { [gate] in Future<Void, Never> { promise in gate.pass { promise(.success(())) } } }
            .flatMap { last.publisher }
        return [first.publisher.eraseToAnyPublisher(), gated.eraseToAnyPublisher()].publisher
            .flatMap { $0 }
            .setFailureType(to: TransportError.self)
            .eraseToAnyPublisher()
    }
}

/// Delays closures until it is opened.
final class Gate: Sendable {
    private let waiting = Locked<[() -> Void]?>([])

    func pass(_ body: @escaping () -> Void) {
        let isOpen = waiting.withLockUnchecked { waiting in
            waiting?.append(body)
            return waiting == nil
        }
        if isOpen { body() }
    }

    func open() {
        let bodies = waiting.withLockUnchecked { waiting in
            defer { waiting = nil }
            return waiting ?? []
        }
        for body in bodies { body() }
    }
}
