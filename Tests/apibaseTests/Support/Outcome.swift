import APIBaseKit
import Basics

@testable import apibase

/// What a command prints, and how it ends.
struct Outcome: Equatable {
    let code: Int32
    /// What was asked for.
    let output: String
    /// Everything else.
    let errors: String

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }
}

/// Runs the command in this process.
///
/// - Parameters:
///   - arguments: What stands behind its name.
///   - input: Its standard input; `nil` for none.
///   - terminal: What both of its channels end at; `nil` for pipes.
/// - Returns: What it printed, and its exit code.
func run(_ arguments: [String], input: Input? = nil, on terminal: Terminal? = nil) async -> Outcome {
    let (out, err) = (Written(), Written())
    let output = Output(out: out.channel(terminal), err: err.channel(terminal))
    let code = await Apibase.run(arguments, input: input, output: output)
    return Outcome(code: code, output: out.text, errors: err.text)
}

func run(_ arguments: String...) async -> Outcome { await run(arguments) }

/// What was written to a channel.
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
