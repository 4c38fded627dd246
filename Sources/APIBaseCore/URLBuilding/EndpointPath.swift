/// The path of an endpoint: its text, and the template that all calls of the endpoint share.
///
/// ```swift
/// init(id: Int) { super.init(.get("/books/\(segment: id, named: "id")")) }    // /books/7, and /books/{id}
/// ```
///
/// A string literal is one. Spans, metrics and logs name a call by the template, so that it has one name for all IDs.
public struct EndpointPath: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The path, as ``APIBase/path``.
    public let text: String
    /// The path with `{}`, or `{id}` for a parameter with a name, in place of each value.
    public let template: String

    /// Creates a path of a text, which is its template as well. A text with an ID in it makes a template for each ID:
    /// use a literal with `\(segment: id)` there.
    public init(_ text: String) { (self.text, template) = (text, text) }

    package init(_ text: String, template: String) { (self.text, self.template) = (text, template) }

    /// The template with what stands in front of the path in this URL, such as the path of the base URL; `nil` if the
    /// URL has another path, or if the template is a URL.
    package func template(in url: URL) -> (front: String, path: String)? {
        // An empty path would be the end of any other.
        guard !text.isEmpty, !template.contains("://"), let own = try? text.escapedAsPath(),
            let whole = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath,
            whole.hasSuffix(own)
        else { return nil }
        return (String(whole.dropLast(own.count)), template)
    }

    /// Creates a path without parameters.
    public init(stringLiteral text: String) { self.init(text) }

    /// Creates a path of a literal with values.
    public init(stringInterpolation: StringInterpolation) {
        (text, template) = (stringInterpolation.text, stringInterpolation.template)
    }

    /// The parts of a literal with values.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var template = ""

        /// Begins with an empty path.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 12 * interpolationCount)
            template.reserveCapacity(literalCapacity + 8 * interpolationCount)
        }

        /// Appends a part of the literal.
        public mutating func appendLiteral(_ literal: String) {
            text += literal
            template += literal
        }

        /// Appends a parameter as one segment: `"/books/\(segment: id)"`.
        ///
        /// Everything but letters, digits and `-._~` is escaped; a slash becomes `%2F`. With an empty text, a control
        /// character, or a `.` or `..` that is alone or between slashes, building the request fails with
        /// ``RequestError/invalidURL(_:)``: servers resolve these even when they are escaped.
        ///
        /// - Parameters:
        ///   - segment: The value.
        ///   - name: Its name in the template, as the documentation of the API has it. Empty by default.
        public mutating func appendInterpolation(segment: some CustomStringConvertible, named name: String = "") {
            append(PathSegment.escaped(segment.description), name)
        }

        /// Appends a part of the path as it is, such as several segments. The template has `{}` for it.
        public mutating func appendInterpolation(_ part: some CustomStringConvertible) {
            append(part.description, "")
        }

        private mutating func append(_ value: String, _ name: String) {
            text += value
            template += "{"
            template += name
            template += "}"
        }
    }
}
