/// Ends decoding whose value is not wanted any more.
package enum DecodingStop {
    /// Gives the error with which decoding ends, or `nil` while it goes on. It is asked about once for each thousand
    /// arrays, objects and elements, and from then on nothing more is read.
    @TaskLocal package static var reason: (@Sendable () -> (any Error)?)?
}
