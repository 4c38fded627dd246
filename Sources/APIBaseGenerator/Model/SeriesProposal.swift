/// Rules for the pages of operations that have none, by the habits of servers.
enum SeriesProposal {
    private static let urls = [
        "links.next", "_links.next.href", "links.next.href", "next_url", "nextUrl", "next_page_url", "nextPageUrl",
        "next_page_uri", "nextLink", "next_link",
    ]
    /// URLs, or values for a query item.
    private static let either = ["paging.next", "pagination.next", "meta.next", "next"]
    private static let cursors = [
        "next_cursor", "nextCursor", "meta.next_cursor", "meta.nextCursor", "pagination.next_cursor",
        "pagination.nextCursor", "paging.next_cursor", "response_metadata.next_cursor", "cursors.after",
        "paging.cursors.after", "next_page_token", "nextPageToken", "next_token", "nextToken", "next_page.offset",
        "end_cursor", "endCursor", "continuation_token", "continuationToken", "meta.next_token", "metadata.continue",
        "cursor", "after",
    ]
    private static let items = [
        "cursor", "after", "page_token", "pageToken", "next_token", "nextToken", "next_cursor", "starting_after",
        "start_cursor", "continuation_token", "continuationToken", "pagination_token", "continue", "offset",
        "page[cursor]", "page[after]",
    ]
    private static let lists = ["data", "items", "results", "values"]
    private static let conditions = ["has_more", "hasMore", "meta.has_more", "has_next_page"]

    /// The rule that fits an operation; `nil` if none does.
    static func rule(for operation: Operation) -> Series? {
        guard operation.outline.method == "GET", operation.series == nil else { return nil }
        let headers = operation.outline.node["responses"]?["200"]?["headers"]?.members.map { $0.name.lowercased() }
        if headers?.contains("link") == true { return .link }
        let reply = operation.result
        func member(_ path: String) -> MemberPath? { MemberPath(path, in: reply) }
        let queries = operation.parameters.filter { $0.location == .query }.map(\.key)
        let item = items.first(where: queries.contains)
        if let url = urls.first(where: { member($0)?.type == .string }) { return .url(url) }
        if let next = either.first(where: { member($0)?.type == .string }) {
            let isURL = item == nil || item == "offset" || ["uri", "url"].contains(member(next)?.format)
            return isURL ? .url(next) : item.map { .query($0, from: next, while: nil) }
        }
        guard let item else { return nil }
        if let path = cursors.first(where: { member($0)?.isScalar == true }) {
            return .query(item, from: path, while: nil)
        }
        guard ["starting_after", "after"].contains(item) else { return nil }
        let condition = conditions.first { member($0)?.type == .bool }
        let last = lists.map { "\($0).id" }.first { member($0)?.isScalar == true }
        return condition.flatMap { condition in last.map { .query(item, from: $0, while: condition) } }
    }

    /// The lines that a run prints of the operations whose pages no rule follows.
    static func lines(for operations: [Operation]) -> [String] {
        let found = operations.compactMap { operation in
            rule(for: operation)?.json.map { (operation.outline.id ?? operation.outline.route, $0) }
        }
        guard !found.isEmpty else { return [] }
        let limit = 10
        let more = found.count > limit ? ["  … and \(found.count - limit) more"] : []
        let shown = found.prefix(limit).map { "  \(JSON.members([$0]).line.dropFirst().dropLast())" }
        return ["Lists with pages that no rule follows. Rules for “pages” in \(Settings.fileName) that fit:"] + shown
            + more
    }
}
