/// Ends decoding whose value is not wanted any more.
package enum DecodingStop {
    /// Gives the error with which decoding ends, or `nil` while it goes on. It is asked about once for each 1,024 objects,
    /// arrays and members of dictionaries, an array counting once more for each 64 elements. From then on nothing more is
    /// read but scalars.
    @TaskLocal package static var reason: (@Sendable () -> (any Error)?)?
}
