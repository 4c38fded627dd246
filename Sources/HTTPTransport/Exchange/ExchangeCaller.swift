package import Foundation

/// On whose behalf a request is sent.
package struct ExchangeCaller: Sendable {
    /// The class of the request object.
    package let type: any AnyObject.Type

    /// Where its API lives.
    package let baseURL: URL?

    package init(type: any AnyObject.Type, baseURL: URL?) {
        self.type = type
        self.baseURL = baseURL
    }
}
