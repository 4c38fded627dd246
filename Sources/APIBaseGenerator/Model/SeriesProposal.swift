import OpenAPIDocument

/// Rules for the pages of operations that have none, by the habits of servers.
struct SeriesProposal {
    private static let parents = [
        "", "meta.", "pagination.", "paging.", "page.", "meta.pagination.", "metadata.", "page_info.", "pageInfo.",
        "response_metadata.", "cursors.", "paging.cursors.", "next_page.", "links.", "_links.",
    ]
    private static let urls = [
        "next_url", "nextUrl", "next_page_url", "nextPageUrl", "next_page_uri", "nextLink", "next_link",
        "@odata.nextLink", "next.href",
    ]
    private static let cursors = [
        "next_cursor", "nextCursor", "next_page_token", "nextPageToken", "next_token", "nextToken", "end_cursor",
        "endCursor", "continuation_token", "continuationToken", "continue", "cursor", "after", "offset",
    ]
    private static let items = [
        "cursor", "after", "page_token", "pageToken", "next_page_token", "next_token", "nextToken", "next_cursor",
        "starting_after", "start_cursor", "continuation_token", "continuationToken", "pagination_token", "continue",
        "offset", "page[cursor]", "page[after]", "from",
    ]
    private static let lists = ["data", "items", "results", "values", "entries"]
    private static let besides = ["warnings", "errors", "links", "schemas", "order", "messages", "included"]
    private static let conditions = ["has_more", "hasMore", "has_next_page", "hasNextPage", "more"]
    private static let numbers = [
        "page", "page[number]", "page_number", "pageNumber", "page_num", "pageNum", "page_no", "pageNo", "pageIndex",
        "page_index", "current_page", "currentPage", "p",
    ]
    private static let numberTotals = [
        "total_pages", "totalPages", "page_count", "pageCount", "last_page", "lastPage", "pages",
    ]
    private static let offsets = [
        "offset", "skip", "page[offset]", "startAt", "start_at", "startIndex", "start", "$skip", "$offset",
        "start_index",
    ]
    private static let elementTotals = [
        "total", "total_count", "totalCount", "total_results", "totalResults", "total_items", "totalItems",
        "TotalRecordCount",
    ]

    let operation: Operation

    /// The rule that fits the operation; `nil` if none does.
    var rule: Series? {
        guard operation.outline.method == "GET", operation.series == nil else { return nil }
        let headers = operation.outline.node["responses"]?["200"]?["headers"]?.members.map { $0.name.lowercased() }
        let hasList = MemberPath.list(at: nil, in: operation.result) != nil || !operation.result.arrayKeys.isEmpty
        if headers?.contains("link") == true, hasList { return .link }
        let queries = operation.parameters.filter { $0.location == .query }.map(\.key)
        let item = Self.items.first(where: queries.contains)
        if let url = path(Self.urls, { $0.type == .string }) { return .url(url) }
        if let next = path(["next"], { $0.isScalar }), let member = member(next) {
            let isURL = member.type == .string && member.isURL || next.contains("links.")
            if isURL || item == nil || item == "offset" { return member.type == .string ? .url(next) : nil }
            return item.map { .query($0, from: next, while: nil) }
        }
        return item.flatMap(cursor) ?? counted
    }

    /// The rule for an item with a cursor.
    private func cursor(_ item: String) -> Series? {
        let isCounted = operation.countedItem(item) != nil
        if !isCounted, let path = path(Self.cursors, { $0.isScalar }) { return .query(item, from: path, while: nil) }
        guard ["starting_after", "after"].contains(item), let more = path(Self.conditions, { $0.type == .bool }) else {
            return nil
        }
        let last = Self.lists.map { "\($0).id" }.first { member($0)?.isScalar == true }
        return last.map { .query(item, from: $0, while: more) }
    }

    /// The rule for pages that are counted.
    private var counted: Series? {
        let reply = operation.result
        var list: String?
        if MemberPath.list(at: nil, in: reply) == nil {
            list = reply.arrayKeys.first(where: Self.lists.contains)
            let others = reply.arrayKeys.filter { !Self.besides.contains($0.lowercased()) }
            if others.count == 1 { list = others[0] }
            if list == nil { return nil }
        }
        if let item = Self.offsets.first(where: isCounted) {
            return .offset(item, .init(list: list, total: path(Self.elementTotals, { $0.isInteger })))
        }
        guard let item = Self.numbers.first(where: isCounted) else { return nil }
        let total = path(Self.numberTotals, { $0.isInteger })
        let more = total == nil ? path(Self.conditions, { $0.type == .bool }) : nil
        return .number(item, .init(list: total == nil && more == nil ? list : nil, total: total, more: more))
    }

    private func isCounted(_ item: String) -> Bool { operation.countedItem(item).map { !$0.isNoCount } ?? false }

    private func member(_ path: String) -> MemberPath? { MemberPath(path, in: operation.result) }

    /// The first member of the reply with one of the names, at one of the usual places.
    private func path(_ names: [String], _ isRight: (MemberPath) -> Bool) -> String? {
        for parent in Self.parents where parent.isEmpty || member(String(parent.dropLast())) != nil {
            if let name = names.first(where: { member(parent + $0).map(isRight) == true }) { return parent + name }
        }
        return nil
    }

    /// The lines that a run prints of the operations whose pages no rule follows.
    static func lines(for operations: [Operation], atMost limit: Int = 10) -> [String] {
        let found = operations.compactMap { operation in
            SeriesProposal(operation: operation).rule?.json.map {
                (operation.outline.id ?? operation.outline.route, $0)
            }
        }
        guard !found.isEmpty else { return [] }
        let more = found.count > limit ? ["  … and \(found.count - limit) more: --list prints all"] : []
        let shown = found.prefix(limit).map { "  \(JSON.members([$0]).line.dropFirst().dropLast())" }
        return ["Lists with pages that no rule follows. Rules for “pages” in \(Settings.fileName) that fit:"] + shown
            + more
    }
}
