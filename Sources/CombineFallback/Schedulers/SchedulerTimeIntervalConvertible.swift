/// A span of time that can be written in common units.
public protocol SchedulerTimeIntervalConvertible {
    /// So many whole seconds.
    static func seconds(_ s: Int) -> Self

    /// So many seconds.
    static func seconds(_ s: Double) -> Self

    /// So many milliseconds.
    static func milliseconds(_ ms: Int) -> Self

    /// So many microseconds.
    static func microseconds(_ us: Int) -> Self

    /// So many nanoseconds.
    static func nanoseconds(_ ns: Int) -> Self
}
