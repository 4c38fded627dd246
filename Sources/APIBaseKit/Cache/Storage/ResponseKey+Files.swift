import Basics
import Foundation

extension ResponseKey {
    /// The name of the folder that the one of the URL is in.
    var group: String { String(url.prefix(2)) }

    /// Throws EINVAL unless both digests are 64 digits in lower case: nothing else becomes the name of a file.
    func check() throws {
        guard url.isDigest, user.isDigest else { throw POSIXError(.EINVAL) }
    }
}

extension String {
    /// Whether this is the name of a folder of ``ResponseKey/group``.
    var isGroup: Bool { utf8.count == 2 && utf8.allSatisfy(\.isDigestDigit) }

    /// Whether this is a digest: 64 hexadecimal digits in lower case.
    var isDigest: Bool { utf8.count == 64 && utf8.allSatisfy(\.isDigestDigit) }
}

extension UInt8 {
    fileprivate var isDigestDigit: Bool { isASCIIHexDigit && self == lowercasedASCII }
}
