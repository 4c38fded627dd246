package import Foundation

/// On whose behalf a request is sent.
package struct ExchangeCaller: Sendable {
    /// The class of the request object.
    package let type: any AnyObject.Type

    /// Where its API lives.
    package let baseURL: URL?

    /// The time of the call; nil for that of the wall.
    package let clock: (any CallClock)?

    package init(type: any AnyObject.Type, baseURL: URL?, clock: (any CallClock)? = nil) {
        self.type = type
        self.baseURL = baseURL
        self.clock = clock
    }
}
