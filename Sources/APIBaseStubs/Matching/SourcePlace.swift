/// A place in the source code.
package struct SourcePlace: Sendable, Hashable {
    package let fileID, filePath: String
    package let line, column: Int

    package init(fileID: String, filePath: String, line: Int, column: Int) {
        (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
    }

    /// The file's name and the line, such as `ShelfTests.swift:12`.
    var description: String { "\(fileID.split(separator: "/").last ?? ""):\(line)" }
}
