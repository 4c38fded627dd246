#if os(Linux)
package import Foundation

/// The command `openssl`, which makes the certificates of the tests, and serves with them.
package enum OpenSSL {
    struct Failure: Error { let arguments: [String] }

    /// The path of the program; `nil` if it is not installed.
    package static let program: URL? = ["/usr/bin", "/usr/local/bin", "/bin"]
        .map { URL(fileURLWithPath: $0).appendingPathComponent("openssl") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    /// Runs the command, and returns its output. Blocks.
    @discardableResult
    package static func run(_ arguments: [String], in folder: URL) throws -> Data {
        guard let program else { throw Failure(arguments: arguments) }
        let shell = URL(fileURLWithPath: "/bin/sh")
        let change = ["-c", #"cd "$0" && exec "$@""#]
        let (data, end) = try ChildProcess(shell, change + [folder.path, program.path] + arguments).finish()
        guard end == .exit(0) else { throw Failure(arguments: arguments) }
        return data
    }

    /// Runs blocking code on its own thread.
    package static func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "openssl").async { continuation.resume(with: Result { try body() }) }
        }
    }
}
#endif
