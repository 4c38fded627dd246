import APIBaseKit

/// Why something cannot be written where it is to be.
enum FileFailure: Error, Hashable {
    /// The system refused it.
    case refused(path: String, POSIXErrorCode)
    /// The folder is not there.
    case noFolder(path: String)
    /// It is neither a file nor a folder, and must not be replaced by one.
    case noFile(path: String)
    /// So many of so many downloads failed, each of which was told.
    case downloads(Int, of: Int)
}

extension FileFailure: LocalizedError {
    var errorDescription: String? {
        switch self {
        case .refused(let path, let code): "“\(path)” cannot be written: \(String(cString: strerror(code.rawValue)))"
        case .noFolder(let path): "There is no folder “\(path)”."
        case .noFile(let path): "“\(path)” is neither a file nor a folder."
        case .downloads(let count, let all): "\(count) of \(all) downloads failed."
        }
    }
}
