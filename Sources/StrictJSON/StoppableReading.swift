/// The reading of a response, which ends early if its value is not wanted any more.
package protocol StoppableReading: AnyObject, Sendable {
    /// The error with which decoding ends, or `nil` while it goes on. A ``StrictJSONDecoder`` asks once for each 1,024
    /// objects, arrays and members of dictionaries, an array counting once more for each 64 elements. From then on
    /// nothing more is read but scalars.
    func reasonToStop() -> (any Error)?
}

/// The reading that the running code is a part of.
package enum CurrentReading {
    @TaskLocal package static var value: (any StoppableReading)?
}
