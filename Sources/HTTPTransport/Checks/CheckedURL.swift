import Basics
package import Foundation

/// A URL that may be requested, and what its check has read in it, so that nobody need parse it again.
package struct CheckedURL: Sendable {
    /// The whole URL as text, resolved against its base if it has one.
    package let text: String

    private let scan: URLScan

    /// - Throws: Why it must not be requested.
    package init(_ url: URL) throws(InvalidRequest) {
        try self.init(text: url.absoluteString)
    }

    /// - Throws: Why it must not be requested.
    package init(text: String) throws(InvalidRequest) {
        self.text = text
        scan = try text.withBytes { bytes in
            Result { () throws(InvalidRequest) in try URLScan(bytes) }
        }.get()
    }

    /// Scheme, host and effective port; as `URL.origin` has them.
    package var origin: Origin {
        let host = text.withBytes { String(decoding: $0[scan.host], as: UTF8.self) }
        return Origin(scheme: scan.isSecure ? "https" : "http", host: host.lowercasedASCII(), port: scan.port)
    }

    /// The byte offset of the query in the text, or of the place where it would be.
    package var queryStart: Int { scan.path.upperBound }
}
