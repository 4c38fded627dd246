/// Scheme, host and effective port: who is being talked to (RFC 6454, section 4).
package struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    var isSecure: Bool { scheme == "https" }
}
