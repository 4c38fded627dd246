/// One name and value of a query.
package struct QueryItem: Sendable, Equatable {
    package let name: String
    package let value: String
}
