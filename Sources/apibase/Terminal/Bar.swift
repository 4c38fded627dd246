/// A bar of block characters, which are an eighth of a column each.
enum Bar {
    /// A bar that begins and ends at parts of a width.
    ///
    /// - Parameters:
    ///   - start: Where it begins, from 0 to 1. It begins at a whole column.
    ///   - end: Where it ends, from 0 to 1.
    ///   - width: How many columns 1 is.
    /// - Returns: Spaces and blocks, at most so many columns. What has any length is an eighth long at least.
    static func text(from start: Double = 0, to end: Double, width: Int) -> String {
        let (start, end) = (start.clamped, end.clamped)
        guard end > start, width > 0 else { return "" }
        let first = min(Int(start * Double(width)), width - 1)
        let eighths = max(1, Int((end * Double(width) * 8).rounded()) - first * 8)
        let part = eighths % 8 == 0 ? "" : String(parts[eighths % 8 - 1])
        return String(repeating: " ", count: first) + String(repeating: "█", count: eighths / 8) + part
    }

    private static let parts = Array("▏▎▍▌▋▊▉")
}

extension Double {
    fileprivate var clamped: Double { isNaN ? 0 : min(max(self, 0), 1) }
}
