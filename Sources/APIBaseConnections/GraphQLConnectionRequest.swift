public import APIBaseGraphQL
public import APIBaseStreams

/// A list of a GraphQL API by cursors, as most of them have it (GraphQL Cursor Connections Specification).
///
/// ```swift
/// final class TicketsQuery: DeskAPI, GraphQLConnectionRequest {
///     struct ModelType: Decodable { var tickets: Tickets }
///     struct Tickets: Decodable { var nodes: [Ticket], pageInfo: PageInfo }
///     static var pageInfo: KeyPath<ModelType, PageInfo> { \.tickets.pageInfo }
///     static let query = """
///         query Tickets($first: Int!, $after: String) {
///           tickets(first: $first, after: $after) { nodes { id title } pageInfo { hasNextPage endCursor } }
///         }
///         """
///     init() { super.init(variables: ["first": 50]) }
/// }
///
/// for try await ticket in TicketsQuery().eachElement(\.tickets.nodes) { … }
/// ```
///
/// The cursor of a page is the variable ``cursorVariable`` of the next one. The other variables stay.
public protocol GraphQLConnectionRequest<ModelType, Failure>: GraphQLRequest, PagedRequest {
    /// The place of the page's information in the data.
    static var pageInfo: KeyPath<ModelType, PageInfo> { get }

    /// The name of the variable with the cursor: by default `after`.
    static var cursorVariable: String { get }
}

extension GraphQLConnectionRequest {
    /// `after`.
    public static var cursorVariable: String { "after" }

    /// The page after the cursor of this one; `nil` if this is the last one. If there is another page, but no cursor,
    /// the list fails with ``RequestError/unreadablePage(_:)``.
    public func nextPage(after page: ModelType, _ response: HTTPURLResponse) -> NextPage? {
        let info = page[keyPath: Self.pageInfo]
        guard info.hasNextPage else { return nil }
        guard let cursor = info.endCursor else { return .unreadable("The server names no cursor for it.") }
        return .variables([Self.cursorVariable: cursor])
    }
}

/// The place of a page of a connection in the list (GraphQL Cursor Connections Specification, section 5).
public struct PageInfo: Codable, Hashable, Sendable {
    /// Whether there is another page.
    public var hasNextPage: Bool
    /// The cursor after which that begins; `nil` in an empty page, or if the query does not ask for it.
    public var endCursor: String?

    /// Creates the information of a page, for example for a test.
    public init(hasNextPage: Bool, endCursor: String?) {
        (self.hasNextPage, self.endCursor) = (hasNextPage, endCursor)
    }
}
