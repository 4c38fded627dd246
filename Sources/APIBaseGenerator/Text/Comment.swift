import OpenAPIDocument

/// Texts of a document as comments. Nothing in them can end the comment, or show as something else than it is.
enum Comment {
    /// The first paragraph in lines of a width. What is cut off is an ellipsis.
    static func lines(_ text: String, width: Int, atMost limit: Int) -> [String] {
        let width = max(width, 20)
        var lines: [String] = []
        var line = ""
        for word in words(of: text) {
            // A part of a path would be another one.
            let isCode = word.contains("`") && word.contains("/")
            let word = word.count > width && !isCode ? "\(word.prefix(width - 1))…" : word
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            if lines.count == limit {
                let last = lines[limit - 1]
                lines[limit - 1] = last.count < width ? "\(last)…" : "\(last.dropLast())…"
                return lines
            }
            line += line.isEmpty ? plain(word) : " \(word)"
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// The first paragraph on one line, cut to a width.
    static func line(_ text: String, width: Int) -> String { lines(text, width: width, atMost: 1).first ?? "" }

    /// The first word of a line so that it begins no heading, list, quotation or directive of DocC.
    private static func plain(_ word: String) -> String {
        word.first.map { "#@>".contains($0) } == true || ["-", "+", "*"].contains(word) ? "\\\(word)" : word
    }

    private static func words(of text: String) -> [String] {
        // A long text is not read to its end: what counts is at its beginning.
        let beginning = String(text.prefix(2_000)).replacing("\r\n", with: "\n").trimmingPrefix(while: \.isWhitespace)
        let hasTags = beginning.contains("<")
        let withoutTags = hasTags ? beginning.replacing(/(`[^`\n]*`)|<\/?[A-Za-z][^<>]*>/) { $0.1 ?? " " } : beginning
        let paragraph = withoutTags.split(separator: "\n\n", maxSplits: 1).first ?? ""
        var words: [String] = [""]
        for scalar in paragraph.unicodeScalars {
            if scalar.isUnprintable || scalar.properties.isWhitespace {
                if words.last?.isEmpty == false { words.append("") }
            } else {
                words[words.count - 1].unicodeScalars.append(scalar)
            }
        }
        return words.filter { !$0.isEmpty }
    }
}
