package import APIBaseStubs
import Basics
import Foundation
import HTTPTransport
import OpenAPIDocument

/// Compares the calls of a scope and their answers with a document.
package final class DocumentInspector: CallInspector {
    /// A finding, and where the stub or the call of it stands in the code.
    private struct Found: Hashable {
        let finding: ContractFinding
        let place: SourcePlace?
    }

    /// Further ones would only repeat them in other words.
    private static let limit = 100

    private let document: APIDocument
    private let found = Locked<(order: [Found], set: Set<Found>)>(([], []))

    package init(_ document: APIDocument) { self.document = document }

    package var problems: [(problem: StubProblem, place: SourcePlace?)] {
        found.withLock { $0.order }.filter { !document.isWarning($0.finding) }
            .map { (.undocumented(finding: $0.finding.description), $0.place) }
    }

    /// The findings that are no failures.
    package var warnings: [(finding: ContractFinding, place: SourcePlace?)] {
        found.withLock { $0.order }.filter { document.isWarning($0.finding) }.map { ($0.finding, $0.place) }
    }

    package func observe(_ call: StubbedCall) -> (any HopWatcher)? {
        guard document.includes(call), let request = SentRequest(call) else { return nil }
        let start = call.startPlace.map {
            SourcePlace(fileID: $0.fileID, filePath: $0.fileID, line: $0.line, column: 1)
        }
        let allowed = call.stubNotes.compactMap { $0 as? [Deviation] }.flatMap(\.self)
        add(document.contract.findings(in: request), start, allowed)
        return ReplyWatcher(to: request) { [self] status, reply in
            let findings = document.contract.findings(in: reply, status: status, to: request)
            add(findings, call.stubPlace ?? start, allowed)
        }
    }

    private func add(_ findings: [ContractFinding], _ place: SourcePlace?, _ allowed: [Deviation]) {
        let findings = findings.filter { !document.allows($0, allowed) }.map { Found(finding: $0, place: place) }
        found.withLock { found in
            for finding in findings where found.order.count < Self.limit && found.set.insert(finding).inserted {
                found.order.append(finding)
            }
        }
    }
}

/// Compares a response when it has ended.
private struct ReplyWatcher: HopWatcher {
    private let request: SentRequest
    private let compare: @Sendable (_ status: Int, _ reply: Message) -> Void
    private var head: ResponseHead?
    private var body = Data()

    init(to request: SentRequest, compare: @escaping @Sendable (Int, Message) -> Void) {
        (self.request, self.compare) = (request, compare)
    }

    mutating func received(_ head: ResponseHead) { self.head = head }

    mutating func received(_ data: Data) { body.append(data) }

    func finish(isWhole: Bool) {
        guard let head else { return }
        let headers = head.headers.map { (name: $0.name, value: $0.value) }
        // Of a body that is not whole, or in a coding that is not read here, only the media type is compared.
        let isReadable = isWhole && !head.mayStillCode(body)
        compare(head.statusCode, Message(headers: headers, body: isReadable ? body : nil))
    }
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
