import Foundation
import OpenAPIDocument

/// Compares the replies of a recording with the types that the document gives.
struct Verification {
    /// The replies that do not fit: `GET /pets/1: #/tag: an integer, expected String`.
    private(set) var failures: [String] = []
    /// The members that are dropped.
    private(set) var extras: [String] = []
    private var checked = 0
    private let count: Int

    var summary: String {
        let misfits = failures.count == 1 ? "1 value does not fit" : "\(failures.count) values do not fit"
        return "\(checked) of \(count) \(count == 1 ? "reply" : "replies") compared; \(misfits)."
    }

    init(_ file: HARFile, _ model: APIModel) {
        count = file.calls.count
        let base = model.baseURL.flatMap { URLComponents(string: $0) }
        // Of several templates, the one with the most words of its own.
        let operations = model.operations.sorted { $0.path.count { $0 == "{" } < $1.path.count { $0 == "{" } }
        for call in file.calls where 200..<300 ~= call.status {
            let parts = base.flatMap { call.segments(below: $0) } ?? call.url.parts
            let operation = operations.first {
                $0.outline.method == call.method && PathTemplates.fits(parts, $0.path)
            }
            guard let json = call.reply.json, let operation else { continue }
            checked += 1
            for misfit in Fit(json, operation.result).misfits {
                let line = "\(call.method) \(call.url.percentEncodedPath): \(misfit.pointer): \(misfit.reason)"
                if misfit.isExtra { extras.append(line) } else { failures.append(line) }
            }
        }
    }
}
