import Foundation

/// Compares the replies of a recording with the types that the document gives.
struct Verification {
    /// What does not fit, and what is dropped: `GET /pets/1: #/tag: an integer, expected String`.
    private(set) var failures: [String] = []
    private(set) var extras: [String] = []
    private(set) var checked = 0

    init(_ file: HARFile, _ model: APIModel) {
        let base = model.baseURL.flatMap { URL(string: $0) }
        for call in file.calls where 200..<300 ~= call.status {
            guard let json = call.replyJSON, let operation = Self.operation(of: call, model, base) else { continue }
            checked += 1
            let route = "\(call.method) \(URLComponents(url: call.url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? "")"
            for misfit in Fit(json, operation.result).misfits {
                let line = "\(route): \(misfit.pointer): \(misfit.reason)"
                if misfit.isExtra { extras.append(line) } else { failures.append(line) }
            }
        }
    }

    /// The operation of a call: the one whose template has the most words of its own.
    private static func operation(of call: HARFile.Call, _ model: APIModel, _ base: URL?) -> Operation? {
        let path = URLComponents(url: call.url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        let segments =
            base.flatMap { Draft.segments(of: call.url, below: $0) } ?? path.split(separator: "/").map(String.init)
        let fitting = model.operations.filter { operation in
            operation.outline.method == call.method && matches(segments, operation.path)
        }
        return fitting.min { $0.parameters.count { $0.location == .path } < $1.parameters.count { $0.location == .path } }
    }

    private static func matches(_ segments: [String], _ template: String) -> Bool {
        let parts = template.split(separator: "/").map(String.init)
        guard parts.count == segments.count else { return false }
        return zip(parts, segments).allSatisfy { $0.contains("{") || $0 == ($1.removingPercentEncoding ?? $1) }
    }
}
