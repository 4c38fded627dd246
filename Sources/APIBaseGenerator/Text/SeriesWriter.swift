/// Writes how a leaf with a rule in the settings leads to its next page.
struct SeriesWriter {
    let operation: Operation
    let model: APIModel
    let access: String

    func write(to text: inout SwiftText) {
        let head =
            "\(access)func nextPage(after page: \(operation.result.text), _ response: HTTPURLResponse) -> NextPage?"
        switch operation.series {
        case .header(let name):
            text.gap()
            text.block(head) { text in
                text.line("let next = response.value(forHTTPHeaderField: \(Literal.string(name)))")
                text.line("return next.flatMap { URL(string: $0) }.map { .url($0) }")
            }
        case .url(let path):
            guard let member = MemberPath(path, in: operation.result) else { return }
            text.gap()
            text.block(head) { text in
                let url = "URL(string: \(member.isOptional ? "$0" : member.expression))"
                let urls = member.isOptional ? "\(member.expression).flatMap { \(url) }" : url
                text.line("\(urls).map { .url($0) }")
            }
        case .query(let item, let path, let more):
            guard let member = MemberPath(path, in: operation.result) else { return }
            text.gap()
            text.block(head) { text in
                let more = more.flatMap { MemberPath($0, in: operation.result) }
                let guarded = more.map {
                    "guard \($0.expression)\($0.isOptional ? " == true" : "") else { return nil }"
                }
                if let guarded { text.line(guarded) }
                text.line((guarded == nil ? "" : "return ") + page(item, member))
            }
        case .none, .link, .polling: break
        }
    }

    /// `page.meta?.next.map { .query(["cursor": $0]) }`
    private func page(_ item: String, _ member: MemberPath) -> String {
        let name = Literal.string(item)
        return member.isOptional
            ? "\(member.expression).map { .query([\(name): \(member.text(of: "$0"))]) }"
            : ".query([\(name): \(member.text(of: member.expression))])"
    }
}
