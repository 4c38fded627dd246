/// What tells a file from every other one that is, or was, in its folder.
///
/// The number alone does not: file systems give that of a removed file to the next one. The device is left out, since some
/// have another number each time they are mounted.
struct FileIdentity: Codable, Equatable {
    var number: UInt64
    /// When it was made, in nanoseconds since 1970; nil if the system does not know that.
    var birth: Int64?
}
