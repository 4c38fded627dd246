package import APIBaseStubs
package import Testing

extension SourcePlace {
    /// The place for an issue; `nil` if no file has it, since Swift Testing would end the process.
    package var location: SourceLocation? {
        let halves = fileID.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count > 1, halves.first != "", halves.last != "", line > 0, column > 0 else { return nil }
        return SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    }
}
