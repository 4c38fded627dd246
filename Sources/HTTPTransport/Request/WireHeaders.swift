import Basics
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ExchangeRequest {
    /// The headers that every engine sends.
    ///
    /// The engine adds `Content-Length` and the ``typeOfBytes``, and a compressed body has its `Content-Encoding`. The
    /// default `User-Agent` replaces Foundation's, which names the process and libcurl's version.
    func wireHeaders(adding additional: HTTPHeaders = [:]) -> HTTPHeaders {
        var headers = HTTPHeaders(urlRequest.allHTTPHeaderFields ?? [:])
        headers.remove(name: "Content-Length")
        for (name, value) in additional where !headers.contains(name: name) {
            if hasLeftOrigin, HTTPHeaders.isSecret(name, in: secretHeaders) { continue }
            headers.add(name: name, value: value)
        }
        if !headers.contains(name: "User-Agent") { headers.add(name: "User-Agent", value: PackageVersion.product) }
        if let coding = body.contentEncoding, !headers.contains(name: "Content-Encoding") {
            headers.add(name: "Content-Encoding", value: coding)
        }
        return headers
    }

    /// The `Content-Type` of a body without one, which engines would send as a form (RFC 9110, section 8.3). Without a
    /// body there is no type: some servers look for a reader of any type that they are told.
    static var typeOfBytes: String { "application/octet-stream" }
}

/// The version of this package, which is the newest one in its changelog.
///
/// It is in `User-Agent`, in recordings, in command lines for curl, and in `apibase --version`.
package enum PackageVersion {
    /// The number alone.
    package static let number = "0.3.0"

    /// The package and its version, as `User-Agent` names a product (RFC 9110, section 10.1.5).
    package static let product = "APIBaseKit/\(number)"
}
