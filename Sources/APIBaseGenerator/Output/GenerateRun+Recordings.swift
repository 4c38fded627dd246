import Foundation
import OpenAPIDocument

extension GenerateRun {
    /// Writes a document made of a recording, unless there is one already.
    func draft(of recording: String) throws -> Outcome {
        guard let out = options.out else {
            throw Refusal.badSettings("--out", reason: "the file for the draft is needed")
        }
        let draft = try Draft(try Self.read(folder.file(at: recording)), name: recording, base: options.base)
        let file = folder.file(at: out)
        var outcome = Outcome()
        outcome.warnings = draft.warnings
        if FileManager.default.fileExists(atPath: file.path), !options.isForced {
            outcome.problems.append("\(out) exists already: nothing is written. --force overwrites it.")
        } else {
            try Data(draft.document.utf8).write(to: file, options: .atomic)
            let command = "apibase generate \(out.quotedForShell) --name … --out …"
            outcome.lines.append("\(out): a draft. Read it, correct it, then: \(command)")
        }
        return outcome
    }
}
