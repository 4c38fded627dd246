#if os(Linux) || os(Android)
import CCurl
import Foundation

extension EngineFailure {
    /// The response is invalid, whether or not libcurl has accepted it.
    init(malformed text: String) {
        self.init(reason: .malformedResponse, underlying: CurlSession.LibraryError(code: 0, message: text))
    }

    /// The connection ended before the response did.
    init(lost text: String) {
        self.init(reason: .connectionLost, underlying: CurlSession.LibraryError(code: 0, message: text))
    }

    /// Translates the result code with which libcurl ended a transfer.
    init(_ code: Int32, _ state: UnsafeMutablePointer<ccurl_transfer>, hasHead: Bool) {
        let failure = Self(of: code, state, hasHead: hasHead)
        // libcurl tries another connection if a kept one ends. If it cannot be made, the request was sent nevertheless.
        let isSent = state.pointee.is_connected && !state.pointee.may_repeat
        let isConnecting = ![.sendError, .receiveError].contains(CurlCode(rawValue: code))
        self = isSent && isConnecting && failure.reason.isOfConnecting ? Self(lost: Self.lostText) : failure
    }

    private static let lostText = "The kept connection ended under a request that must not be repeated"

    private init(of code: Int32, _ state: UnsafeMutablePointer<ccurl_transfer>, hasHead: Bool) {
        let error = CurlSession.LibraryError(code, state)
        let limit = Int(state.pointee.header_limit) - CurlRequest.headerSlack
        switch state.pointee.fault {
        case CCURL_FAULT_HEAD: self.init(malformed: "The head is not one of HTTP")
        case CCURL_FAULT_STATUS_LINE: self.init(malformed: "The status line is not one of HTTP")
        case CCURL_FAULT_BLANK: self.init(reason: .malformedResponse, underlying: MalformedHead.nothingToContinue)
        case CCURL_FAULT_UPGRADE:
            self.init(malformed: "The status is 101, and the request has not asked for another protocol")
        case CCURL_FAULT_HEADER_BYTES: self.init(reason: .tooLarge(.headerBytes, limit: limit))
        case CCURL_FAULT_LOST: self.init(lost: Self.lostText)
        case CCURL_FAULT_MEMORY: self.init(reason: .engine, underlying: CurlSession.LibraryError.outOfMemory)
        case CCURL_FAULT_TRUNCATED: self.init(lost: "The connection ended without the close_notify of TLS")
        case CCURL_FAULT_ADDRESS: self.init(reason: .addressNotAllowed)
        case CCURL_FAULT_DESCRIPTORS:
            self.init(reason: .cannotConnect, underlying: CurlSession.LibraryError.noDescriptor)
        default:
            if !hasHead, ccurl_quirk_lost_answers(), state.endedStream(code) {
                self.init(lost: "The server has answered before it read the body, and libcurl has lost the answer")
            } else {
                self.init(error, hasHead: hasHead)
            }
        }
    }

    /// The most bytes of a header line that libcurl takes (`CURL_MAX_HTTP_HEADER`).
    private static let longestLine = 100 << 10

    /// Translates an error of libcurl, by its message where several cases share a code.
    private init(_ error: CurlSession.LibraryError, hasHead: Bool) {
        let reason: TransportError.Reason =
            switch CurlCode(rawValue: error.code) {
            case .urlMalformed: .invalidRequest(.init(.url, .badHost))
            // A lookup needs descriptors as well.
            case .couldNotResolveHost: ccurl_is_out_of_descriptors() ? .cannotConnect : .hostNotFound
            case .couldNotResolveProxy, .couldNotConnect, .interfaceFailed, .proxy: .cannotConnect
            case .operationTimedOut: .timedOut(which: .connect, after: .seconds(300))
            case .sslConnectError, .sslEngineNotFound, .sslEngineSetFailed, .sslCertificateProblem, .sslCipher,
                .peerFailedVerification, .useSSLFailed, .sslEngineInitFailed, .sslCABadFile, .sslShutdownFailed,
                .sslCRLBadFile, .sslIssuerError, .sslPinnedKeyMismatch, .sslInvalidStatus, .sslClientCertificate:
                .tls
            case .receiveError where error.message.contains("CONNECT"): .cannotConnect
            case .receiveError where error.message.contains("chunk"): .malformedResponse
            case .sendError where error.message.contains(" alert "): .tls
            case .receiveError where error.message.contains(" alert "): .tls
            case .partialFile, .gotNothing, .sendError, .receiveError, .sendFailRewind, .http2, .http2Stream:
                .connectionLost
            case .outOfMemory where !hasHead, .tooLarge where !hasHead:
                .tooLarge(.headerLine, limit: Self.longestLine)
            case .unsupportedProtocol, .weirdServerReply, .writeError, .badFunctionArgument, .badContentEncoding,
                .http3:
                .malformedResponse
            default: .engine
            }
        // libcurl's messages for these are wrong: out of memory, or no such host.
        switch (CurlCode(rawValue: error.code), reason) {
        case (_, .tooLarge): self.init(reason: reason)
        case (.couldNotResolveHost, .cannotConnect):
            self.init(reason: reason, underlying: CurlSession.LibraryError.noDescriptor)
        default: self.init(reason: reason, underlying: error)
        }
    }
}

extension UnsafeMutablePointer<ccurl_transfer> {
    /// Whether libcurl's result code says that the server has ended the HTTP/2 stream without an error, and that the
    /// request's body could not be sent to its end. With an error, libcurl's message names it.
    func endedStream(_ code: Int32) -> Bool {
        guard code == CurlCode.http2Stream.rawValue else { return false }
        return CurlSession.LibraryError(code, self).message == String(cString: ccurl_error_text(code))
    }
}

extension CurlSession.Configuration {
    /// The failure, with the setting that has caused it if that is known.
    func attribute(_ failure: EngineFailure) -> EngineFailure {
        let code = (failure.underlying as? CurlSession.LibraryError)?.code
        guard code == CurlCode.sslCABadFile.rawValue, certificateAuthorities != nil else { return failure }
        let reason = TransportError.Reason.invalidConfiguration(setting: "certificateAuthorities")
        return EngineFailure(reason: reason, underlying: failure.underlying)
    }
}
#endif
