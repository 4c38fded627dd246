package import Foundation

/// On whose behalf a request is sent.
package struct ExchangeCaller: Sendable {
    /// The class of the request object.
    package let type: any AnyObject.Type

    /// The base URL of the request's API; nil if it has none.
    package let baseURL: URL?

    /// The time of the call; nil for that of the wall.
    package let clock: (any CallClock)?

    /// Runs its argument with the task locals of where the call was started; nil if they are not kept.
    package let inContext: (@Sendable (() -> Void) -> Void)?

    /// Says why a request of the call must not go to a network; nil if all may.
    package let refusal: (@Sendable (ExchangeRequest) -> (any Error)?)?

    package init(
        type: any AnyObject.Type,
        baseURL: URL?,
        clock: (any CallClock)? = nil,
        inContext: (@Sendable (() -> Void) -> Void)? = nil,
        refusal: (@Sendable (ExchangeRequest) -> (any Error)?)? = nil
    ) {
        self.type = type
        self.baseURL = baseURL
        self.clock = clock
        self.inContext = inContext
        self.refusal = refusal
    }
}
