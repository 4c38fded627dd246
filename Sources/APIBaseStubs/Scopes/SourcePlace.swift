/// A place in a source file.
package struct SourcePlace: Sendable {
    package let fileID: String
    package let filePath: String
    package let line: Int
    package let column: Int

    init(_ fileID: String, _ filePath: String, _ line: Int, _ column: Int) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    /// The file's name and the line.
    var description: String { "\(fileID.split(separator: "/").last ?? ""):\(line)" }
}
