import HTTPTransport

/// The points in which the calls of a publisher differ from their request object.
struct CallVariation: Sendable {
    /// Makes another request of the one that was built, for each attempt.
    var change: @Sendable (URLRequest) throws -> URLRequest = { $0 }

    /// Whether a reply is accepted that ``APIBase/accepts(_:)`` refuses.
    var accepts: @Sendable (HTTPURLResponse) -> Bool = { _ in false }

    /// The number of bytes that are there before the reply's body, for the progress.
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
