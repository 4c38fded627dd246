/// A file that is written below a folder.
struct GeneratedFile: Hashable {
    /// The path below the folder.
    let path: String
    let text: String

    init(_ path: String, _ text: String) { (self.path, self.text) = (path, text) }
}
