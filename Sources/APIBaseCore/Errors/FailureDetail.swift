import Foundation

/// The API's own error in a failure.
///
/// It follows from the response, so failures are compared without it.
struct FailureDetail: Sendable, Hashable {
    let error: (any Error)?

    static let none = FailureDetail(error: nil)

    /// The error's own text, without secrets; `nil` if it has none.
    func text(without secrets: RequestSecrets) -> String? {
        let text = (error as? any LocalizedError)?.errorDescription
        return text?.allSatisfy(\.isWhitespace) == false ? HTTPFailure.presentable(text ?? "", without: secrets) : nil
    }

    func removing(_ secrets: RequestSecrets) -> FailureDetail { FailureDetail(error: error?.without(secrets)) }

    static func == (left: FailureDetail, right: FailureDetail) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

extension RequestError {
    /// The API's own error, of a refused response or of an event that reports a failure; `nil` for other errors.
    ///
    /// ```swift
    /// catch let error as RequestError {
    ///     if let problem = error.detail(as: Problem.self) { show(problem.reason) }
    /// }
    /// ```
    public func detail<Detail: Error>(as type: Detail.Type = Detail.self) -> Detail? {
        switch self {
        case .httpFailure(let failure): failure.detail()
        case .failureEvent(let event): event.detail()
        default: nil
        }
    }
}

extension HTTPFailure {
    /// The API's own error, which ``JSONAPI/detail(of:)`` has found in the response.
    ///
    /// ```swift
    /// catch RequestError.httpFailure(let failure) {
    ///     if let problem = failure.detail(as: Problem.self) { show(problem.reason) }
    /// }
    /// ```
    ///
    /// - Parameter type: The type of the error.
    /// - Returns: `nil` if there is no such error, or if it has another type.
    public func detail<Detail: Error>(as type: Detail.Type = Detail.self) -> Detail? { detail.error as? Detail }
}

extension ServerSentEvent {
    /// The API's own error in an event that reports a failure (``RequestError/failureEvent(_:)``), which
    /// ``JSONAPI/detail(of:)`` has found in its data.
    ///
    /// - Parameter type: The type of the error.
    /// - Returns: `nil` if there is no such error, or if it has another type.
    public func detail<Detail: Error>(as type: Detail.Type = Detail.self) -> Detail? { detail.error as? Detail }
}
