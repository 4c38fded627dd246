import CIsolation
import Chains
import Foundation
import OnOpenCombine
import OnOurs

/// How a chain went.
enum Outcome: Equatable {
    case same
    case different
    /// Brought the process down, or never came to its end.
    case oursCrashed
    case theirsCrashed
}

/// What a copy of this process has found out about one chain.
struct Finding {
    let outcome: Outcome
    /// The smallest chain found that behaves so.
    var small: Chain
}

/// What the copy tells the original, one line each.
private enum Note: String {
    case runsOurs = "o"
    case runsTheirs = "t"
    case same = "="
    case different = "!"
    case shrinks = "s"
    case small = "c"
}

/// Runs chains in copies of this process, because what runs in them may bring the process down.
struct Isolated {
    /// How `chains` go, up to and including the first that brings the copy down.
    static func survey(_ chains: [Chain], shrinks: Bool = true) -> [Finding] {
        var end: Int32 = 0
        let copy = isolation_start(&end)
        guard copy >= 0 else { return [] }
        if copy == 0 {
            report(on: chains, shrinks: shrinks, to: FileHandle(fileDescriptor: end))
            isolation_end()
        }
        let reader = FileHandle(fileDescriptor: end, closeOnDealloc: true)
        let text = String(decoding: (try? reader.readToEnd()) ?? Data(), as: UTF8.self)
        var status: Int32 = 0
        waitpid(copy, &status, 0)
        return read(text, chains)
    }

    /// How one chain goes.
    static func outcome(of chain: Chain) -> Outcome { survey([chain], shrinks: false).first?.outcome ?? .same }

    private static func report(on chains: [Chain], shrinks: Bool, to writer: FileHandle) {
        func say(_ note: Note, _ text: String = "") { writer.write(Data((note.rawValue + text + "\n").utf8)) }
        for chain in chains {
            isolation_expect(2000)
            say(.runsOurs)
            let ours = OnOurs.run(chain)
            say(.runsTheirs)
            let theirs = OnOpenCombine.run(chain)
            let difference = Difference(chain: chain, ours: ours, theirs: theirs)
            guard difference.isReal else {
                say(.same)
                continue
            }
            guard shrinks else {
                say(.different)
                continue
            }
            say(.shrinks)
            let small = chain.shrunk { Difference(running: $0).isReal }
            say(.small, ((try? JSONEncoder().encode(small)).map { String(decoding: $0, as: UTF8.self) }) ?? "")
        }
    }

    private static func read(_ text: String, _ chains: [Chain]) -> [Finding] {
        var findings: [Finding] = []
        var last: Note?
        for line in text.split(separator: "\n") {
            last = line.first.flatMap { Note(rawValue: String($0)) }
            let chain = chains[min(findings.count, chains.count - 1)]
            switch last {
            case .same: findings.append(Finding(outcome: .same, small: chain))
            case .different: findings.append(Finding(outcome: .different, small: chain))
            case .small:
                let small = try? JSONDecoder().decode(Chain.self, from: Data(line.dropFirst().utf8))
                findings.append(Finding(outcome: .different, small: small ?? chain))
            case .runsOurs, .runsTheirs, .shrinks, nil: break
            }
        }
        guard findings.count < chains.count else { return findings }
        let fatal = chains[findings.count]
        switch last {
        case .runsOurs:
            findings.append(Finding(outcome: .oursCrashed, small: shrunk(fatal, while: .oursCrashed)))
        case .runsTheirs:
            findings.append(Finding(outcome: .theirsCrashed, small: fatal))
        case .shrinks:
            // A simpler chain brought the copy down: try each in a copy of its own.
            findings.append(Finding(outcome: .different, small: shrunk(fatal, while: .different)))
        case .same, .different, .small, nil: break
        }
        return findings
    }

    /// Shrinks a chain with a copy for every attempt.
    static func shrunk(_ chain: Chain, while outcome: Outcome) -> Chain {
        chain.shrunk { self.outcome(of: $0) == outcome }
    }
}
