/// A file that is written below a folder.
struct GeneratedFile: Hashable {
    /// The path below the folder.
    let path: String
    let text: String

    init(_ path: String, _ text: String) { (self.path, self.text) = (path, text) }

    /// The longest file of which a reader can find something.
    private static let lineLimit = 3_000

    /// One file for all elements, or several, if it would be too long.
    static func split<Element>(
        _ elements: [Element],
        _ path: () -> String,
        _ text: ([Element]) -> String
    ) -> [GeneratedFile] {
        let file = text(elements)
        guard elements.count > 1, file.utf8.count(where: { $0 == 0x0A }) > lineLimit else {
            return [GeneratedFile(path(), file)]
        }
        let (first, second) = (elements.prefix(elements.count / 2), elements.dropFirst(elements.count / 2))
        return split(Array(first), path, text) + split(Array(second), path, text)
    }
}
