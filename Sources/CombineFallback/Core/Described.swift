/// Something that a playground shows as it is printed.
protocol Described: CustomStringConvertible, CustomPlaygroundDisplayConvertible {}

extension Described {
    /// The text of `description`.
    public var playgroundDescription: Any { description }
}
