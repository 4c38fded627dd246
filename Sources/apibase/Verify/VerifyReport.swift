import APIBaseKit
import APIBaseRecording
import OpenAPIDocument

/// The calls that have been compared with a document, and the findings.
struct VerifyReport {
    let contract: Contract
    private(set) var findings: [(finding: ContractFinding, count: Int)] = []
    private var places: [ContractFinding: Int] = [:]
    /// The statuses of the replies by the operation.
    private var statuses: [String: [Int]] = [:]
    private var callCount = 0
    private var unansweredCount = 0
    /// The number of calls to other URLs than those of the document's servers, which are left out.
    var otherCount = 0
    /// The operations that were not called, and why.
    var reasons: [String: String] = [:]

    init(_ contract: Contract) { self.contract = contract }

    mutating func add(_ request: SentRequest, _ response: HAR.Response) {
        let isKnown = response.content.size <= 0 || response.content.text != nil
        let headers = response.headers.fields(withType: response.content.size > 0 ? response.content.mimeType : nil)
        add(request, response.status, Message(headers: headers, body: isKnown ? response.content.data : nil))
    }

    /// Takes note of a call that was sent and has no reply.
    mutating func addUnanswered(_ route: String, _ reason: String) {
        unansweredCount += 1
        reasons[route] = reason
    }

    /// Whether something was compared, and everything that was sent had a reply.
    var isComplete: Bool { callCount > 0 && unansweredCount == 0 }

    /// Compares a call. The status 0 is that of a call without a reply.
    mutating func add(_ request: SentRequest, _ status: Int, _ reply: Message) {
        callCount += 1
        let call = ContractCall(request, in: contract)
        let found = call.findings + (status > 0 ? call.findings(in: reply, status: status) : [])
        for finding in found {
            if let place = places[finding] {
                findings[place].count += 1
            } else {
                places[finding] = findings.count
                findings.append((finding, 1))
            }
        }
        if let route = call.operation?.route { statuses[route, default: []].append(status) }
    }

    /// The findings, then a table of the operations, and a line with the numbers.
    func lines(of findings: [(finding: ContractFinding, count: Int)]) -> [String] {
        let routes = contract.operations.map(\.route)
        let width = min(routes.map(\.count).max() ?? 0, 60)
        let table = routes.map { route in
            let name = route.padding(toLength: max(width, route.count), withPad: " ", startingAt: 0)
            guard let statuses = statuses[route] else { return "\(name)  \(reasons[route] ?? "never called")" }
            let counts = Dictionary(grouping: statuses) { $0 }.sorted { $0.key < $1.key }
            return "\(name)  "
                + counts.map { "\($0.key == 0 ? "no reply" : "\($0.key)") × \($0.value.count)" }
                .joined(separator: ", ")
        }
        let lines = findings.map { finding, count in count == 1 ? "\(finding)" : "\(finding) (\(count) times)" }
        let seen = Set(routes).intersection(statuses.keys).count
        let calls = callCount == 1 ? "1 call" : "\(callCount) calls"
        let found = findings.count == 1 ? "1 finding" : "\(findings.count) findings"
        let unanswered = unansweredCount == 0 ? "" : ", \(unansweredCount) without a reply"
        let others = otherCount == 0 ? "" : ", \(otherCount) to other URLs left out"
        let summary = "\(calls) compared\(unanswered)\(others), \(seen) of \(routes.count) operations called; \(found)."
        return lines + (lines.isEmpty ? [] : [""]) + table + ["", summary]
    }
}
