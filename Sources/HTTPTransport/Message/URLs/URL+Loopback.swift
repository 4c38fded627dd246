import Basics
package import Foundation

extension URL {
    /// Whether the host is this machine by its name or address: `localhost`, what ends in it, `127.0.0.0/8`, `::1`.
    package var isOnThisMachine: Bool {
        guard let host else { return false }
        let name = host.lowercasedASCII().trimmingCharacters(in: CharacterSet(charactersIn: "[]."))
        return name == "localhost" || name.hasSuffix(".localhost") || name == "::1" || name == "0.0.0.0"
            || name.isLoopbackAddress
    }
}

extension String {
    /// Whether it is an address of `127.0.0.0/8`, in its usual form.
    fileprivate var isLoopbackAddress: Bool {
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
