import APIBaseKit

/// The exit codes of the command.
enum ExitCode {
    /// All went well.
    static let success: Int32 = 0
    /// No reply came, or a file could not be written, or a server not be started.
    static let failed: Int32 = 1
    /// The arguments are wrong; nothing was sent.
    static let usage: Int32 = 2
    /// The reply has a status from 400 to 499.
    static let refused: Int32 = 4
    /// The reply has a status from 500 on.
    static let serverFailed: Int32 = 5
    /// Nobody reads the output any more: SIGPIPE, as shells count it.
    static let closedPipe: Int32 = 141

    /// For a reply with this status.
    static func status(_ statusCode: Int) -> Int32 {
        statusCode < 400 ? success : statusCode < 500 ? refused : serverFailed
    }

    /// For a call that failed.
    static func error(_ error: any Error) -> Int32 {
        switch error {
        case is UsageError, RequestError.invalidURL, RequestError.invalidRequest: usage
        case RequestError.httpFailure(let failure): status(failure.statusCode)
        default: failed
        }
    }

    /// The codes, for help texts.
    static let text = """
        0    all went well
        1    no reply came, or something else failed
        2    the arguments are wrong; nothing was sent
        4    the reply has a status from 400 to 499
        5    the reply has a status from 500 on
        130  it was interrupted (Control-C)
        """
}
