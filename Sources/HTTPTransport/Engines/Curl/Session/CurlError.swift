#if os(Linux) || os(Android)
import CCurl
public import Foundation

/// An error of libcurl.
public struct CurlError: Error, Sendable, Hashable, LocalizedError {
    /// libcurl's number of the error (`CURLcode`); 0 if libcurl was content and the answer is still not right.
    public let code: Int32

    /// libcurl's words. They name hosts, ports and files, and hold no URL, header or password.
    public let message: String

    /// The words, and the number if they are libcurl's.
    public var errorDescription: String? { code == 0 ? message : "\(message) (libcurl \(code))" }

    init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    static let outOfMemory = CurlError(code: CurlCode.outOfMemory.rawValue, message: "Out of memory")

    static let noDescriptor = CurlError(code: 0, message: "The process has no file descriptor left")

    /// An error of libcurl's multi interface, whose numbers are others.
    init(multi code: Int32) {
        self.init(code: 0, message: "The transfer could not be started (multi interface: \(code))")
    }

    /// - Parameters:
    ///   - code: libcurl's number.
    ///   - detail: What it said about this very exchange; nothing if it said nothing.
    init(code: Int32, detail: UnsafePointer<CChar>) {
        let detail = String(cString: detail)
        self.init(code: code, message: detail.isEmpty ? String(cString: ccurl_error_text(code)) : detail)
    }
}
#endif
