/// The version of this package, which is the newest one in its changelog.
///
/// It is in `User-Agent`, in recordings, in command lines for curl, and in `apibase --version`.
package enum PackageVersion {
    /// The number alone.
    package static let number = "0.3.0"

    /// The package and its version, as `User-Agent` names a product (RFC 9110, section 10.1.5).
    package static let product = "APIBaseKit/\(number)"
}
