import OpenAPIDocument

/// Writes how a leaf with a rule in the settings leads to its next page.
struct SeriesWriter {
    let operation: Operation
    let model: APIModel
    let access: String

    func write(to text: inout SwiftText) {
        let lines = self.lines
        guard !lines.isEmpty else { return }
        let page = "after page: \(operation.result.text), _ response: HTTPURLResponse"
        text.gap()
        text.block("\(access)func nextPage(\(page)) -> NextPage?") { text in lines.forEach { text.line($0) } }
    }

    private var lines: [String] {
        switch operation.series {
        case .header(let name):
            [
                "let next = response.value(forHTTPHeaderField: \(Literal.string(name)))",
                "return next.flatMap { URL(string: $0) }.map { .url($0) }",
            ]
        case .url(let path):
            member(path).map { member in
                let urls = member.isOptional ? "flatMap { URL(string: $0) }" : "URL(string: \(member.expression))"
                return [(member.isOptional ? "\(member.optionalExpression).\(urls)" : urls) + ".map { .url($0) }"]
            } ?? []
        case .query(let item, let path, let more):
            member(path).map { returned(page(item, $0), while: more) } ?? []
        case .number(let item, let counting):
            [".number(\(Literal.string(item)), after: response\(first(item, 1)), \(end(counting)))"]
        case .offset(let item, let counting):
            MemberPath.list(at: counting.list, in: operation.result).map { list in
                let count = list.isOptional ? "\(list.expression)?.count ?? 0" : "\(list.expression).count"
                let total = counting.total.flatMap(member).map { ", of: \($0.expression)" } ?? ""
                let page = ".offset(\(Literal.string(item)), after: response\(first(item, 0)), by: \(count)\(total))"
                return returned(page, while: counting.more)
            } ?? []
        case .none, .link, .polling: []
        }
    }

    private func member(_ path: String) -> MemberPath? { MemberPath(path, in: operation.result) }

    private func returned(_ page: String, while more: String?) -> [String] {
        guard let more = more.flatMap(member) else { return [page] }
        return ["guard \(isTrue(more)) else { return nil }", "return \(page)"]
    }

    private func isTrue(_ member: MemberPath) -> String { "\(member.expression)\(member.isOptional ? " == true" : "")" }

    /// `page.meta?.next.map { .query(["cursor": $0]) }`
    private func page(_ item: String, _ member: MemberPath) -> String {
        let name = Literal.string(item)
        func query(_ value: String) -> String {
            let query = ".query([\(name): \(member.text(of: value))])"
            // An empty text is no cursor.
            return member.type == .string ? "\(value).isEmpty ? nil : \(query)" : query
        }
        guard member.isOptional else { return query(member.expression) }
        let function = member.type == .string ? "flatMap" : "map"
        return "\(member.optionalExpression).\(function) { \(query("$0")) }"
    }

    /// The number that a query without the item begins with, if it is not the usual one.
    private func first(_ item: String, _ usual: Int) -> String {
        let first = operation.countedItem(item)?.firstNumber ?? usual
        return first == usual ? "" : ", first: \(first)"
    }

    /// The end of pages with numbers.
    private func end(_ counting: Series.Counting) -> String {
        if let total = counting.total.flatMap(member) { return "of: \(total.expression)" }
        if let more = counting.more.flatMap(member) { return "while: \(isTrue(more))" }
        guard let list = MemberPath.list(at: counting.list, in: operation.result) else { return "while: false" }
        return "while: " + (list.isOptional ? "\(list.expression)?.isEmpty == false" : "!\(list.expression).isEmpty")
    }
}
