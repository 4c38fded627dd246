import APIBaseStubs
import Foundation

/// The GraphQL operation that a request names in its body. All operations of an API have the same method and URL.
struct ComparableOperation {
    /// The name; the document or its hash if it has none.
    let name: String
    /// The variables: an empty object if there are none.
    let variables: JSONTree

    /// Reads the body of a request with this media type; `nil` if it is no GraphQL call.
    init?(_ body: Data, type: String?) {
        guard let call = JSONTree(body.graphQLCall(ofType: type)) else { return nil }
        let document = call["query"]?.text.flatMap { $0.contains("{") ? $0 : nil }
        let hash = call["extensions"]?["persistedQuery"]?["sha256Hash"]?.text
        guard let name = call["operationName"]?.text ?? document ?? hash else { return nil }
        self.name = name
        variables = call["variables"].flatMap { $0 == .null ? nil : $0 } ?? .object([:])
    }
}

extension JSONTree {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
