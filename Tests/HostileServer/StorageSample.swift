package import Foundation

/// Values of a storage that contain their key and version, so that a reader can verify them.
package enum StorageSample {
    /// The number of URLs and of users in the keys.
    package static let urls = 40
    package static let users = 3

    /// A digest made from a number.
    package static func digest(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        let spread = String(UInt64(bitPattern: Int64(number)) &* 0x9E37_79B9_7F4A_7C15, radix: 16)
        let head = String(repeating: "0", count: 16 - spread.count) + spread
        return head + String(repeating: "0", count: 48 - digits.count) + digits
    }

    /// The value of a version for a key, up to 40,000 bytes.
    package static func value(url: Int, user: Int, version: Int) -> Data {
        var value = Data("\(url) \(user) \(version)\n".utf8)
        value.append(Data(repeating: UInt8(truncatingIfNeeded: url &+ version &* 31), count: version &* 7_919 % 40_000))
        return value
    }

    /// The version of a valid value of the key; `nil` for any other value.
    package static func version(of value: Data, url: Int, user: Int) -> Int? {
        guard let line = value.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first,
            let version = String(decoding: line, as: UTF8.self).split(separator: " ").last.flatMap({ Int($0) }),
            value == self.value(url: url, user: user, version: version)
        else { return nil }
        return version
    }
}
