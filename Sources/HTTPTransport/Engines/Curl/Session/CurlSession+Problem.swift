#if os(Linux) || os(Android)
import Foundation

extension CurlSession.Configuration {
    /// A setting that cannot be used, and the reason.
    struct Problem: Error {
        let setting: String
        let text: String

        init(_ setting: String, _ text: String) {
            self.setting = setting
            self.text = text
        }

        var failure: EngineFailure {
            EngineFailure(
                reason: .invalidConfiguration(setting: setting),
                underlying: CurlSession.LibraryError(code: 0, message: text)
            )
        }
    }

    /// The first problem that can be found without libcurl; nil without one.
    var problem: Problem? {
        fileProblem ?? pinProblem ?? proxyProblem ?? socketProblem ?? addressProblem ?? reachProblem
    }

    private var reachProblem: Problem? {
        guard case .publicOnly(let networks) = reach, let wrong = networks.first(where: { !$0.isValid }) else {
            return nil
        }
        return Problem("reach", "\(wrong) is no network, as 10.0.0.0/8")
    }

    private var fileProblem: Problem? {
        let files = [
            ("certificateAuthorities", certificateAuthorities), ("identity.certificate", identity?.certificate),
            ("identity.key", identity?.key),
        ]
        for (setting, file) in files {
            guard let file else { continue }
            guard file.isFileURL else { return Problem(setting, "\(file) is not a file URL") }
            var isDirectory: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory)
            guard exists, !isDirectory.boolValue, FileManager.default.isReadableFile(atPath: file.path) else {
                return Problem(setting, "\(file.path) is not there, or cannot be read")
            }
        }
        return nil
    }

    /// The problem with a pin that libcurl would take for a file name, or ignore.
    private var pinProblem: Problem? {
        let areDigests = pinnedKeys.allSatisfy { Data(base64Encoded: $0)?.count == 32 }
        return areDigests ? nil : Problem("pinnedKeys", "a pin is the Base64 of a SHA-256 digest, and nothing else")
    }

    /// The problem with a proxy, including a URL that libcurl would take for no proxy. The URL is not shown: it may
    /// have a password.
    private var proxyProblem: Problem? {
        guard case .url(let text, _) = proxy else { return nil }
        let parts = URLComponents(string: text)
        let isValid = !text.contains("\0") && parts?.host?.isEmpty == false && parts?.scheme != nil
        return isValid ? nil : Problem("proxy", "it is no URL with scheme and host, as http://127.0.0.1:3128")
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

extension String {
    /// Whether this is an IPv4 or IPv6 address, with or without brackets.
    fileprivate var isNumericAddress: Bool {
        let inner = hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
        var buffer = in6_addr()
        return inet_pton(AF_INET, inner, &buffer) == 1 || inet_pton(AF_INET6, inner, &buffer) == 1
    }
}
#endif
