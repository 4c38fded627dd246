/// A request that cannot be served: the status it is answered with, and why.
package struct HTTPFault: Error, Equatable, Sendable {
    package let status: Int
    package let reason: String

    package init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}
