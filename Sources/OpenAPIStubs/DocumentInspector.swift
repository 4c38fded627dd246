package import APIBaseStubs
import Basics
import Foundation
import HTTPTransport
import OpenAPIDocument

/// Compares the calls of a scope and their answers with a document.
package final class DocumentInspector: CallInspector {
    /// A finding, and where the stub or the call of it stands in the code. Those in several elements of an array, or with
    /// several values, are one.
    private struct Found: Hashable {
        let finding: ContractFinding
        let place: SourcePlace?
        /// The name of the stub, of which several can stand at one place.
        let stub: String?

        var text: String { finding.description + (stub.map { "; answered by “\($0)”" } ?? "") }

        static func == (left: Self, right: Self) -> Bool { left.key == right.key }

        func hash(into hasher: inout Hasher) { hasher.combine(key) }

        private var key: [String] {
            let place = place.map { "\($0.fileID):\($0.line)" } ?? ""
            let deviation = "\(finding.deviation)".replacing(/\/[0-9]+/, with: "/*")
            return [finding.operation, "\(finding.status ?? 0)", deviation, finding.pointer, place, stub ?? ""]
        }
    }

    private let document: APIDocument
    private let found = Locked<(order: [Found], set: Set<Found>)>(([], []))

    package init(_ document: APIDocument) { self.document = document }

    package var subject: ObjectIdentifier { ObjectIdentifier(document.contract) }

    package var problems: [(problem: StubProblem, place: SourcePlace?)] {
        found.withLock { $0.order }.filter { !document.isWarning($0.finding) }
            .map { (.undocumented(finding: $0.text), $0.place) }
    }

    /// The findings that are no failures.
    package var warnings: [(text: String, place: SourcePlace?)] {
        found.withLock { $0.order }.filter { document.isWarning($0.finding) }.map { ($0.text, $0.place) }
    }

    package func includes(_ call: StubbedCall) -> Bool {
        // What a redirect leads to is mostly no operation, such as a file of another server, and a socket is not one.
        !call.hasLeftOrigin && call.upgrade == nil && document.includes(call)
    }

    package func observe(_ call: StubbedCall) -> (any HopWatcher)? {
        guard let request = SentRequest(call) else { return nil }
        let start = call.startPlace.map {
            SourcePlace(fileID: $0.fileID, filePath: $0.fileID, line: $0.line, column: 1)
        }
        let allowed = call.stubNotes.compactMap { $0 as? [Deviation] }.flatMap(\.self)
        let compared = ContractCall(request, in: document.contract)
        add(compared.findings, start, stub: nil, allowed)
        // What the document itself has answered.
        if call.stubNotes.contains(where: { ($0 as? Contract) === document.contract }) { return nil }
        return ReplyWatcher { [self] status, reply in
            let findings = compared.findings(in: reply, status: status, isRecorded: call.isReplayed)
            add(findings, call.stubPlace ?? start, stub: call.stub, allowed)
        }
    }

    private func add(_ findings: [ContractFinding], _ place: SourcePlace?, stub: String?, _ allowed: [Deviation]) {
        let findings = findings.filter { !document.allows($0, allowed) }.map {
            Found(finding: $0, place: place, stub: stub)
        }
        found.withLock { found in
            for finding in findings where found.set.insert(finding).inserted { found.order.append(finding) }
        }
    }
}

/// Compares a response: its head when it arrives, its body at the end.
private struct ReplyWatcher: HopWatcher {
    private let compare: @Sendable (_ status: Int, _ reply: Message) -> Void
    private var head: ResponseHead?
    private var body = Data()

    init(_ compare: @escaping @Sendable (_ status: Int, _ reply: Message) -> Void) { self.compare = compare }

    mutating func received(_ head: ResponseHead) {
        self.head = head
        // Whether the media type matters is known when the body begins.
        let fields = head.fields.filter { $0.name.lowercased() != "content-type" }
        compare(head.statusCode, Message(headers: fields, body: nil))
    }

    mutating func received(_ data: Data) {
        if let head, body.isEmpty, !data.isEmpty { compare(head.statusCode, Message(headers: head.fields, body: nil)) }
        if body.count <= Self.limit { body.append(data) }
    }

    func finish(isWhole: Bool) {
        // Of a body that is not whole, too large, or in a coding that is not read here, nothing is compared.
        guard let head, isWhole, body.count <= Self.limit, !head.mayStillCode(body) else { return }
        compare(head.statusCode, Message(headers: head.fields, body: body))
    }

    /// The bytes of a body that is compared, at most.
    private static let limit = 64 << 20
}

extension SentRequest {
    init?(_ call: StubbedCall) {
        guard let url = call.url.flatMap({ URLComponents(url: $0, resolvingAgainstBaseURL: true) }) else { return nil }
        let headers = (call.request.allHTTPHeaderFields ?? [:]).map { (name: $0.key, value: $0.value) }
        self.init(
            method: call.method.rawValue,
            url: url,
            pathBelowBase: call.paths.dropFirst().first,
            message: Message(headers: headers, body: call.isCoded ? nil : call.body)
        )
    }
}

extension ResponseHead {
    fileprivate var fields: [(name: String, value: String)] { headers.map { (name: $0.name, value: $0.value) } }
}
