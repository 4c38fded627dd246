import Basics
import Foundation

/// A regular expression of ECMA-262, run by Foundation.
struct Pattern: Sendable {
    private let expression: NSRegularExpression
    /// The length of texts from which it is not tried again, since it once took too long.
    private let limit = Locked(Int.max)

    /// `nil` if Foundation cannot read it.
    init?(_ source: String) {
        guard let expression = try? NSRegularExpression(pattern: Self.translated(source)) else { return nil }
        self.expression = expression
    }

    /// Whether it matches somewhere in the text, `nil` if it takes too long to tell; and the steps that it took.
    ///
    /// An expression such as `^(a+)+$` takes twice as long for each further character. Foundation reports each place at
    /// which it begins to match, and each 10,000 steps from there.
    func matches(_ text: String) -> (result: Bool?, steps: Int) {
        let length = text.utf16.count
        if length >= limit.withLock({ $0 }) { return (nil, 0) }
        var result: Bool? = false
        var (reports, end) = (0, Duration?.none)
        expression.enumerateMatches(
            in: text,
            options: [.reportProgress, .reportCompletion],
            range: NSRange(location: 0, length: length)
        ) { match, flags, stop in
            reports += 1
            if reports == 1_000 { end = .ofThread + .milliseconds(400) }
            let isLate = reports.isMultiple(of: 100) && end.map { $0 < .ofThread } == true
            if match != nil { result = true } else if flags.contains(.internalError) || isLate { result = nil }
            if result != false { stop.pointee = true }
        }
        // A little shorter, it would take as long.
        if result == nil { limit.withLock { $0 = min($0, length / 2 + 1) } }
        return (result, result == nil ? 100_000 : max(0, reports - length) * 50)
    }

    // MARK: Translation

    private static let space = #"\t\n\x0B\f\r \u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF"#
    private static let classes: [Character: String] = [
        "d": "[0-9]", "D": "[^0-9]", "w": "[A-Za-z0-9_]", "W": "[^A-Za-z0-9_]", "s": "[\(space)]", "S": "[^\(space)]",
        "0": #"\x00"#,
    ]

    /// The expression for Foundation, where `$` also stands before a last line break, `\d` has the digits of all
    /// scripts, and a class may hold others.
    private static func translated(_ source: String) -> String {
        var result = ""
        var isInClass = false
        var rest = source[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                guard let escaped = rest.popFirst() else { return result + "\\" }
                if escaped == "u", rest.first == "{" {
                    result += "\\x"
                } else {
                    result += classes[escaped] ?? "\\\(escaped)"
                    // After a class, it begins no range, and Foundation would take away what follows.
                    if isInClass, classes[escaped] != nil, rest.first == "-" { result += "\\" }
                }
            case "-"
            where isInClass && rest.hasPrefix("\\") && rest.dropFirst().first.map { classes[$0] != nil } == true:
                result += "\\-"
            case "[" where !isInClass:
                isInClass = true
                result += "["
                if rest.hasPrefix("^]") {
                    rest = rest.dropFirst(2)
                    result.removeLast()
                    result += #"[\x{0}-\x{10FFFF}]"#
                    isInClass = false
                }
            case "[", "&": result += isInClass ? "\\\(character)" : String(character)
            case "]":
                isInClass = false
                result += "]"
            case "$" where !isInClass: result += #"\z"#
            case "." where !isInClass: result += #"[^\n\r\u2028\u2029]"#
            default: result.append(character)
            }
        }
        return result
    }
}

extension Duration {
    /// The processor time of this thread so far.
    fileprivate static var ofThread: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
