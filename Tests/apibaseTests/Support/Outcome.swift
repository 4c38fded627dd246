import APIBaseKit
import Basics

@testable import apibase

/// The output and the exit code of a command.
struct Outcome: Equatable {
    let code: Int32
    /// The standard output.
    let output: String
    /// The standard error.
    let errors: String

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }
}

/// Runs the command in this process.
///
/// - Parameters:
///   - arguments: The arguments after its name.
///   - input: The standard input; `nil` for none.
///   - terminal: The terminal of both outputs; `nil` for pipes.
/// - Returns: The output and the exit code.
func run(_ arguments: [String], input: Input? = nil, on terminal: Terminal? = nil) async -> Outcome {
    let (out, err) = (Written(), Written())
    let output = Output(out: out.channel(terminal), err: err.channel(terminal))
    let code = await Apibase.run(arguments, input: input, output: output)
    return Outcome(code: code, output: out.text, errors: err.text)
}

func run(_ arguments: String...) async -> Outcome { await run(arguments) }

/// Collects the bytes that are written to a channel.
struct Written: Sendable {
    private let data = Locked(Data())

    var bytes: Data { data.withLock { $0 } }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    func channel(_ terminal: Terminal? = nil) -> Channel {
        Channel(terminal: terminal) { bytes in data.withLock { $0.append(bytes) } }
    }
}

extension Terminal {
    /// A terminal of that width.
    static func make(_ columns: Int = 80, hasColors: Bool = true) -> Terminal {
        Terminal(hasColors: hasColors) { columns }
    }
}
