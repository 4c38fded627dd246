import OpenAPIDocument

/// Writes a catalogue of DocC: a page that names the groups, and one for each group with links to its leaves.
struct CatalogWriter {
    let model: APIModel
    let module: String
    /// The leaves by the names of their files.
    let groups: [(name: String, elements: [Operation])]

    func files() -> [GeneratedFile] {
        let about = model.document.root["info"]?.text("description") ?? model.document.title
        let links = groups.map { "- <doc:\($0.name)>" }
        let start = page("``\(module)``", about, "Groups", links)
        let pages = groups.map { name, operations in
            let group = operations[0].outline.group
            let tag = model.document.root["tags"]?.elements.first { $0.text("name") == group }
            let title = Comment.line(group, width: 80)
            let links = operations.map { "- ``\($0.name)``" }
            return (name, page(title.isEmpty ? module : title, tag?.text("description") ?? "", "Calls", links))
        }
        return ([(module, start)] + pages).map { GeneratedFile("\(module).docc/\($0).md", $1) }
    }

    private func page(_ title: String, _ words: String, _ topic: String, _ links: [String]) -> String {
        let paragraph = Comment.lines(words, width: SwiftText.width, atMost: 8).joined(separator: "\n")
        let parts = ["# \(title)", paragraph, "## Topics", "### \(topic)", links.joined(separator: "\n")]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }
}
