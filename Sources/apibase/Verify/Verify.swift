import APIBaseKit
import APIBaseRecording
import APIBaseRedaction
import Basics
import OpenAPIDocument

/// `apibase verify`: compares the calls of a recording, or of a server, with the document of the API.
struct Verify: Job {
    /// The calls that are compared.
    enum Source: Equatable {
        case recordings([URL])
        /// Those of the safe operations of a server.
        case live
    }

    let document: URL
    let source: Source
    var base: URL?
    var allowsUnknownMembers = false
    var allowedStatuses: [Int] = []

    func run(_ context: Context) async throws -> Int32 {
        var files = [document]
        if case .recordings(let recordings) = source { files += recordings }
        try Self.check(files)
        let contract: Contract
        do {
            contract = try .read(
                Data(contentsOf: document),
                name: document.lastPathComponent,
                comparesSecrets: source == .live,
                isSecret: SecretNames.ofMessages.hasAny
            )
        } catch let error as DocumentError {
            context.output.error("apibase: \(error.localizedDescription.forTerminal)")
            return ExitCode.usage
        }
        var report = VerifyReport(contract)
        switch source {
        case .recordings(let urls): try compare(urls.flatMap { try HAR(contentsOf: $0).log.entries }, &report)
        case .live: try await LiveCalls(contract, base: base, context).compare(&report)
        }
        for warning in contract.warnings {
            context.output.error("warning: \("\(contract.name)\(warning)".forTerminal)")
        }
        let findings = report.findings.filter { !isAllowed($0.finding) }
        for line in report.lines(of: findings) { context.output.line(line.forTerminal) }
        return findings.isEmpty && report.isComplete ? ExitCode.success : ExitCode.failed
    }

    /// - Throws: `UsageError` with the name of a file that is not there.
    private static func check(_ files: [URL]) throws {
        for file in files where !FileManager.default.fileExists(atPath: file.path) {
            throw UsageError.missingArgument("The file “\(file.path)”")
        }
    }

    private func isAllowed(_ finding: ContractFinding) -> Bool {
        switch finding.deviation {
        case .unknownMember: allowsUnknownMembers
        case .undocumentedStatus(let status): allowedStatuses.contains(status)
        default: false
        }
    }

    /// Compares the calls to the document's servers; if there are none among them, all calls.
    private func compare(_ entries: [HAR.Entry], _ report: inout VerifyReport) throws {
        let servers = base.map { [$0] } ?? report.contract.servers
        let calls = entries.compactMap { entry in URLComponents(recorded: entry.request.url).map { ($0, entry) } }
        let own = calls.filter { url, _ in servers.contains { $0.pathBelow(url) != nil } }
        if base != nil, own.isEmpty {
            throw UsageError.badValue("--base", base?.absoluteString ?? "", "a URL of its calls")
        }
        let compared = own.isEmpty ? calls : own
        report.otherCount = entries.count - compared.count
        for (url, entry) in compared {
            // Browsers ask before calls to another origin.
            let isPreflight = entry.request.headers.contains { $0.name.lowercased() == "access-control-request-method" }
            if !isPreflight { report.add(SentRequest(entry.request, url, below: base), entry.response) }
        }
    }
}

extension URL {
    /// The path of a URL below this one; `nil` for another place.
    func pathBelow(_ url: URLComponents) -> String? {
        guard let base = URLComponents(url: self, resolvingAgainstBaseURL: true), url.origin == base.origin else {
            return nil
        }
        let path = base.percentEncodedPath.hasSuffix("/") ? base.percentEncodedPath : "\(base.percentEncodedPath)/"
        let own = url.percentEncodedPath == path.dropLast() ? path : url.percentEncodedPath
        return own.hasPrefix(path) ? String(own.dropFirst(path.count - 1)) : nil
    }
}

extension URLComponents {
    /// A URL as programs record it, with characters that belong escaped. Foundation would escape all of it once more.
    fileprivate init?(recorded text: String) {
        let host = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        let rest = text[host...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        let legal = CharacterSet.urlQueryAllowed.union(CharacterSet(charactersIn: "%#"))
        guard let escaped = text[rest...].addingPercentEncoding(withAllowedCharacters: legal) else { return nil }
        self.init(string: text[..<rest] + escaped)
    }

    /// The scheme, the host and the port, also if the port is that of the scheme.
    fileprivate var origin: [String] {
        let scheme = scheme?.lowercased() ?? ""
        return [scheme, host?.lowercased() ?? "", "\(port ?? (scheme == "https" ? 443 : 80))"]
    }
}

extension [HAR.Field] {
    /// The names and values. The media type is added if it only stands at the body.
    func fields(withType type: String?) -> [(name: String, value: String)] {
        let fields = map { (name: $0.name, value: $0.value) }
        guard let type, !type.isEmpty, !fields.contains(where: { $0.name.lowercased() == "content-type" }) else {
            return fields
        }
        return fields + [("Content-Type", type)]
    }
}

extension SentRequest {
    fileprivate init(_ request: HAR.Request, _ url: URLComponents, below base: URL?) {
        // Of a form with files, some browsers have only the fields.
        let isKnown = request.postData.map { $0.text != nil || !$0.mimeType.hasPrefix("multipart/") }
        self.init(
            method: request.method.uppercased(),
            url: url,
            pathBelowBase: base.flatMap { $0.pathBelow(url) },
            message: Message(
                headers: request.headers.fields(withType: request.postData?.mimeType),
                body: isKnown ?? (request.bodySize <= 0) ? request.postData?.data ?? Data() : nil
            )
        )
    }
}

extension Command {
    static let verify = Command(
        name: "verify",
        operands: "DOCUMENT [RECORDING …]",
        summary: "compare recorded calls, or a server, with an OpenAPI document",
        details: """
            Compares requests and replies with the document: operations, parameters, media types, bodies, statuses and
            headers. Prints what does not fit with the place in the document, then the operations and how often each was
            called. The exit code is 1 if something does not fit, if there was no call to compare, and if a call of --live
            has no reply.

              apibase verify openapi.json session.har other.har
              apibase verify openapi.json --live --base https://api.example.com/v1

            --live sends the operations with GET, HEAD, OPTIONS and QUERY whose required parameters the document shows
            examples of, and nothing else. Credentials are taken from the environment by the name of the document's
            security scheme: APIBASE_API_KEY for “apiKey”, with a token, a key, or NAME:PASSWORD.
            """,
        options: [.safeCalls, .base, .unknown, .status]
    ) { arguments in
        guard let path = arguments.next() else { throw UsageError.missingArgument("The document") }
        var recordings: [String] = []
        while let recording = arguments.next() { recordings.append(recording) }
        let isLive = arguments.has(.safeCalls)
        if let recording = recordings.first, isLive { throw UsageError.conflict(recording, Option.safeCalls.name) }
        guard isLive || !recordings.isEmpty else { throw UsageError.missingArgument("The recording, or --live,") }
        return Verify(
            document: URL(fileURLWithPath: path),
            source: isLive ? .live : .recordings(recordings.map { URL(fileURLWithPath: $0) }),
            base: try arguments.value(.base, expected: "a URL") {
                URL(string: $0).flatMap { $0.host == nil ? nil : $0 }
            },
            allowsUnknownMembers: arguments.has(.unknown),
            allowedStatuses: try arguments.values(.status).map { text in
                guard let status = Int(text) else { throw UsageError.badValue("--allow-status", text, "a status") }
                return status
            }
        )
    }
}

extension Option {
    fileprivate static let safeCalls = Option(
        "--live",
        "send the safe operations of the document, and compare the replies"
    )
    fileprivate static let base = Option("--base", value: "URL", "the URL before all paths, in place of the document's")
    fileprivate static let unknown = Option("--allow-unknown", "accept members that the document does not name")
    fileprivate static let status = Option(
        "--allow-status",
        value: "STATUS",
        "accept this status where the document does not have it; repeatable"
    )
}
