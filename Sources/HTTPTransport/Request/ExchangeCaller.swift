package import Foundation

/// The call on whose behalf a request is sent. The network does not see it; stubs look at it.
package protocol ExchangeCaller: AnyObject, Sendable {
    /// The class of the request object.
    var type: any AnyObject.Type { get }

    /// The decoder and the encoder that the request's API has for JSON; nil if it has none.
    var coders: (decoder: JSONDecoder, encoder: JSONEncoder)? { get }

    /// The base URL of the request's API; nil if it has none.
    var baseURL: URL? { get }

    /// The time of the call.
    var clock: any CallClock { get }

    /// Whether the call runs, waits by itself, or has ended. What the answer to its request does is not looked at.
    var standing: CallStanding { get }

    /// Runs `body` with the task locals of where the call was started.
    func inContext(_ body: () -> Void)

    /// Why a request of the call must not go to a network; nil if it may.
    func refusal(of request: ExchangeRequest) -> (any Error)?

    /// A hop has ended; its end is delivered afterwards. Takes a lock for a moment and runs no user code.
    func hopEnded(_ report: HopReport)
}
