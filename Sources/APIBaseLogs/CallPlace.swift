import Basics

extension APIBase {
    /// Notes this line of code as the one that starts the call, for logs and traces: `BookRequest(id: 7).here().value()`.
    ///
    /// A ``CallLog`` names the file and the line, and ``CallEvent/attributes`` has them as `code.file.path` and
    /// `code.line.number`.
    ///
    /// - Returns: This object.
    @discardableResult
    public func here(fileID: String = #fileID, line: Int = #line) -> Self {
        note((fileID, line))
        return self
    }
}

extension APICall {
    /// Notes this line of code as the one that starts the call, see ``APIBase/here(fileID:line:)``.
    ///
    /// - Returns: This call.
    @discardableResult
    public func here(fileID: String = #fileID, line: Int = #line) -> Self {
        api.here(fileID: fileID, line: line)
        return self
    }
}
