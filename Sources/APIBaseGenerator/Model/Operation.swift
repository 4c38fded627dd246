import OpenAPIDocument

/// An operation before anything but its names is read: enough to choose from.
struct OperationOutline {
    let method: String
    let path: String
    let node: Node
    /// The item of the path, which has parameters for all its operations.
    let item: Node
    /// The name of its class.
    let leafName: String
    /// The group with which it shares a file: its first tag, or else the first part of its path; nothing in a small
    /// document.
    let group: String

    var id: String? { node.text("operationId") }
    var route: String { "\(method) \(path)" }
}

/// An operation, as its leaf class needs it.
struct Operation {
    let outline: OperationOutline
    /// The path without what is no path, and the query items that stood in it.
    let path: String
    let fixedQuery: [(name: String, value: String)]
    var parameters: [Parameter] = []
    var body: RequestBody = .none
    var result: SwiftType = .void
    /// The media types of the reply, if they are not those of JSON.
    var accepts: [String] = []
    /// The type of the events in the reply, if there are any.
    var events: SwiftType?
    /// The credentials, if they are not those that the API asks for mostly.
    var security: Security.Requirement?
    /// The server, if it is not that of the document.
    var server: String?
    /// The types nested in the leaf.
    let scope: Scope
    var examples: [Example] = []
    var series: Series?

    var name: String { outline.leafName }
    var isDeprecated: Bool { outline.node.flag("deprecated") }
}

/// A value of a reply as the document shows it.
struct Example {
    let value: JSON
    let pointer: String
    let schema: Node?
}

/// The way from a leaf to further replies: a rule of the settings.
package enum Series: Hashable, Sendable {
    /// Pages named by the header `Link`.
    case link
    /// Pages whose URL another header has.
    case header(String)
    /// Pages that a query item leads to, with its value at a path in the reply, while a member of it is true.
    case query(String, from: String, while: String?)
    /// Pages whose URL is at a path in the reply.
    case url(String)
    /// Pages whose number is in a query item.
    case number(String, Counting)
    /// Pages that begin after as many elements as a query item says.
    case offset(String, Counting)
    /// A long operation.
    case polling

    /// The paths in the reply of what ends counted pages.
    package struct Counting: Hashable, Sendable {
        /// The elements, of which the page after the last one has none; `nil` for the reply itself, or its only array.
        var list: String?
        /// The number of all pages, or of all elements.
        var total: String?
        /// Whether there are more.
        var more: String?
    }
}

struct Parameter {
    let location: ParameterLocation
    /// The name on the wire.
    let key: String
    var style = "simple"
    var explodes = false
    let isRequired: Bool
    var type: SwiftType
    /// The value of a required parameter that is not given.
    var defaultValue: JSON?
    /// The least number that it can be.
    var least: Int?
    var documentation: String?
    /// Where it stands in the document.
    var pointer = ""
}

enum RequestBody {
    case none
    /// A JSON value, of this media type if it is not `application/json`.
    case json(SwiftType, isRequired: Bool, mediaType: String?)
    /// A form, with the name of the way of the kit's `QueryStyle` in which it has lists.
    case form(SwiftType, isRequired: Bool, lists: String?)
    /// A form with files; without parts that the document names, any parts.
    case multipart([Part])
    case text(isRequired: Bool, mediaType: String)
    case bytes(isRequired: Bool, mediaType: String)

    var hasNamedParts: Bool { if case .multipart(let parts) = self { !parts.isEmpty } else { false } }

    /// A part of a form with files.
    struct Part {
        let key: String
        let type: SwiftType
        let isRequired: Bool
        let mediaType: String?
        let documentation: String?
    }
}
