import HTTPTransport

/// The points in which the calls of a publisher differ from their request object.
struct CallVariation: Sendable {
    /// Makes another request of the one that was built, for each attempt.
    var change: @Sendable (URLRequest) throws -> URLRequest = { $0 }

    /// What is accepted besides what ``APIBase/accepts(_:)`` accepts.
    var accepts: @Sendable (HTTPURLResponse) -> Bool = { _ in false }

    /// How many bytes there are already of what is received.
    var offset: @Sendable () -> Int64 = { 0 }
}

extension ExchangeProgress {
    /// The progress of a whole of which so much was there before.
    func moved(by offset: Int64) -> ExchangeProgress {
        guard case .received(let bytes, let expected) = self, offset > 0 else { return self }
        // A server may say any length.
        let whole = expected.map { $0.addingReportingOverflow(offset) }
        return .received(bytes + offset, expected: whole.flatMap { $0.overflow ? nil : $0.partialValue })
    }
}
