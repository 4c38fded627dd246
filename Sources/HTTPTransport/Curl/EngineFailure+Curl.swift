#if os(Linux) || os(Android)
import CCurl
import Foundation

extension EngineFailure {
    /// The answer is not what it should be, though libcurl might be content.
    init(malformed text: String) {
        self.init(reason: .malformedResponse, underlying: CurlError(code: 0, message: text))
    }

    /// What libcurl's verdict means.
    init(_ code: Int32, _ state: UnsafeMutablePointer<ccurl_transfer>, hasHead: Bool) {
        let error = withUnsafePointer(to: &state.pointee.error) { text in
            text.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: text.pointee)) {
                CurlError(code: code, detail: $0)
            }
        }
        let limit = Int(state.pointee.header_limit) - CurlRequest.headerSlack
        let reason: TransportError.Reason =
            switch state.pointee.fault {
            case CCURL_FAULT_HEAD: .malformedResponse
            case CCURL_FAULT_HEADER_BYTES: .tooLarge(.headerBytes, limit: limit)
            case CCURL_FAULT_LOST: .connectionLost
            case CCURL_FAULT_MEMORY: .engine
            default: Self.reason(error, hasHead: hasHead, headerLimit: limit)
            }
        self.init(reason: reason, underlying: error)
    }

    /// libcurl's numbers (`curl.h`; they never change), and what tells apart the cases that share one.
    private static func reason(_ error: CurlError, hasHead: Bool, headerLimit: Int) -> TransportError.Reason {
        switch error.code {
        case 3: .invalidRequest(InvalidRequest(.url, .badHost))
        case 6: .hostNotFound
        case 5, 7, 45, 97: .cannotConnect
        case 28: .timedOut(which: .connect, after: .seconds(300))
        case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: .tls
        case 56 where error.message.contains("CONNECT"): .cannotConnect
        case 56 where error.message.contains("chunk"): .malformedResponse
        case 55 where error.message.contains(" alert "), 56 where error.message.contains(" alert "): .tls
        case 18, 52, 55, 56, 65, 16, 92: .connectionLost
        case 27 where !hasHead, 100 where !hasHead: .tooLarge(.headerBytes, limit: headerLimit)
        case 1, 8, 23, 43, 61, 95: .malformedResponse
        default: .engine
        }
    }
}
#endif
