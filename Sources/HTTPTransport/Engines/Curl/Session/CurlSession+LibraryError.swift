#if os(Linux) || os(Android)
import CCurl
public import Foundation

extension CurlSession {
    /// An error of libcurl.
    public struct LibraryError: Error, Sendable, Hashable, LocalizedError {
        /// libcurl's number of the error (`CURLcode`); 0 if libcurl has reported no error.
        public let code: Int32

        /// The message, usually libcurl's. It may name hosts, ports and files, but no URL, header or password.
        public let message: String

        /// The message, with libcurl's number if there is one.
        public var errorDescription: String? { code == 0 ? message : "\(message) (libcurl \(code))" }

        init(code: Int32, message: String) {
            self.code = code
            self.message = message
        }

        static let outOfMemory = CurlSession.LibraryError(code: CurlCode.outOfMemory.rawValue, message: "Out of memory")

        static let noDescriptor = CurlSession.LibraryError(code: 0, message: "The process has no file descriptor left")

        /// An error of libcurl's multi interface, whose numbers mean other errors.
        init(multi code: Int32) {
            self.init(code: 0, message: "The transfer could not be started (multi interface: \(code))")
        }

        /// The error with libcurl's number, and its message about this transfer if it has one.
        init(_ code: Int32, _ state: UnsafeMutablePointer<ccurl_transfer>) {
            let detail = withUnsafePointer(to: &state.pointee.error) { text in
                text.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: text.pointee)) {
                    String(cString: $0)
                }
            }
            self.init(code: code, message: detail.isEmpty ? String(cString: ccurl_error_text(code)) : detail)
        }
    }
}

extension CurlSession.LibraryError: EngineError {
    func replacingMessage(_ replace: (String) -> String) -> CurlSession.LibraryError {
        CurlSession.LibraryError(code: code, message: replace(message))
    }
}

/// libcurl's numbers of errors (`CURLcode` in `curl.h`; they never change) that are used here.
enum CurlCode: Int32 {
    case ok = 0
    case unsupportedProtocol = 1
    case urlMalformed = 3
    case couldNotResolveProxy = 5
    case couldNotResolveHost = 6
    case couldNotConnect = 7
    case weirdServerReply = 8
    case http2 = 16
    case partialFile = 18
    case writeError = 23
    case outOfMemory = 27
    case operationTimedOut = 28
    case sslConnectError = 35
    case badFunctionArgument = 43
    case interfaceFailed = 45
    case gotNothing = 52
    case sslEngineNotFound = 53
    case sslEngineSetFailed = 54
    case sendError = 55
    case receiveError = 56
    case sslCertificateProblem = 58
    case sslCipher = 59
    case peerFailedVerification = 60
    case badContentEncoding = 61
    case useSSLFailed = 64
    case sendFailRewind = 65
    case sslEngineInitFailed = 66
    case sslCABadFile = 77
    case sslShutdownFailed = 80
    case sslCRLBadFile = 82
    case sslIssuerError = 83
    case sslPinnedKeyMismatch = 90
    case sslInvalidStatus = 91
    case http2Stream = 92
    case http3 = 95
    case proxy = 97
    case sslClientCertificate = 98
    case tooLarge = 100
}

#endif
