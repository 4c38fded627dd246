#if os(Linux) || os(Android)
import Foundation

extension CurlSession.Configuration {
    /// A setting that cannot be used, and why.
    struct Problem: Sendable {
        let setting: String
        let text: String

        init(_ setting: String, _ text: String) {
            self.setting = setting
            self.text = text
        }
    }

    /// The first problem that can be found without libcurl; nil if there is none.
    var problem: Problem? {
        fileProblem ?? pinProblem ?? proxyProblem ?? socketProblem ?? addressProblem
    }

    private var fileProblem: Problem? {
        let files = [
            ("certificateAuthorities", certificateAuthorities), ("identity.certificate", identity?.certificate),
            ("identity.key", identity?.key),
        ]
        for (setting, file) in files {
            guard let file else { continue }
            guard file.isFileURL else { return Problem(setting, "\(file) is no file URL") }
            var isDirectory: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory)
            guard exists, !isDirectory.boolValue, FileManager.default.isReadableFile(atPath: file.path) else {
                return Problem(setting, "\(file.path) is not there, or cannot be read")
            }
        }
        return nil
    }

    /// The problem with a pin that libcurl would take for a file's name, or for no pin at all; nil if there is none.
    private var pinProblem: Problem? {
        let areDigests = pinnedKeys.allSatisfy { Data(base64Encoded: $0)?.count == 32 }
        return areDigests ? nil : Problem("pinnedKeys", "a pin is the Base64 of a SHA-256 digest, and nothing else")
    }

    /// The text is not shown, since it may hold a password. What libcurl would take for no proxy at all is one as well.
    private var proxyProblem: Problem? {
        guard case .url(let text, _) = proxy else { return nil }
        let parts = URLComponents(string: text)
        let isFit = !text.contains("\0") && parts?.host?.isEmpty == false && parts?.scheme != nil
        return isFit ? nil : Problem("proxy", "it is no URL with scheme and host, as http://127.0.0.1:3128")
    }

    private var socketProblem: Problem? {
        if let unixSocket, !(1...107).contains(unixSocket.utf8.count) || unixSocket.contains("\0") {
            return Problem("unixSocket", "the path is empty, or longer than 107 bytes")
        }
        if let localAddress, localAddress.isEmpty || localAddress.contains("\0") {
            return Problem("localAddress", "it is empty")
        }
        return nil
    }

    private var addressProblem: Problem? {
        for (place, addresses) in addresses {
            let port = place.lastIndex(of: ":").flatMap { UInt16(place[place.index(after: $0)...]) }
            guard port != nil, !place.contains("\0"), !place.hasPrefix("-") else {
                return Problem("addresses", "the place is not written as host:port")
            }
            guard !addresses.isEmpty, addresses.allSatisfy(\.isNumericAddress) else {
                return Problem("addresses", "for \(place) there must be numeric addresses, and nothing else")
            }
        }
        return nil
    }
}

extension CurlSession.Configuration {
    /// The failure, or the setting that is to blame for it.
    func blame(_ failure: EngineFailure) -> EngineFailure {
        let code = (failure.underlying as? CurlError)?.code
        guard code == CurlCode.sslCABadFile.rawValue, certificateAuthorities != nil else { return failure }
        let reason = TransportError.Reason.invalidConfiguration(setting: "certificateAuthorities")
        return EngineFailure(reason: reason, underlying: failure.underlying)
    }
}

extension String {
    /// Whether this looks like an IPv4 or IPv6 address, the latter in brackets or not.
    fileprivate var isNumericAddress: Bool {
        let inner = hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
        var buffer = in6_addr()
        return inet_pton(AF_INET, inner, &buffer) == 1 || inet_pton(AF_INET6, inner, &buffer) == 1
    }
}
#endif
