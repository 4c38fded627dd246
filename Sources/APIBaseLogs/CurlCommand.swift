import Basics
import Foundation
import HTTPTransport

extension URLRequest {
    /// The request with this body as a command, without secrets.
    package func curlText(body: HTTPBody, secretHeaders: Set<String>) -> String {
        let command = CurlCommand(self, body: body, without: SecretNames(.default, secretHeaders: secretHeaders))
        return RequestSecrets(of: [self], secretHeaders: secretHeaders).removed(from: command.text)
    }
}

/// A request as a command line for a shell and curl.
struct CurlCommand {
    private let request: URLRequest
    private let pieces: [HTTPBody.Piece]
    private let names: SecretNames

    init(_ request: URLRequest, body: HTTPBody, without names: SecretNames) {
        self.request = request
        self.names = names
        let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
        // Secrets cannot be found in coded bytes, which are therefore read from the input.
        let isCoded = !request.bodyCodings.isEmpty
        pieces = isCoded ? body.pieces.map(\.withoutBytes) : Self.merged(body.pieces, type: type, without: names)
    }

    /// The command, with one option on each line.
    var text: String {
        let command = ["curl --globoff --path-as-is --url \(quoted(url))"] + options
        let line = command.joined(separator: " \\\n  ")
        return input.map { "\($0) | \(line)" } ?? line
    }

    private var url: String { names.withoutSecrets(request.url?.absoluteString ?? "") }

    private var options: [String] {
        let method = request.httpMethod ?? "GET"
        var options: [String] = []
        if method == "HEAD" {
            options.append("--head")
        } else if method != (hasBody ? "POST" : "GET") {
            options.append("--request \(quoted(method))")
        }
        if request.value(forHTTPHeaderField: "Accept-Encoding") == nil { options.append("--compressed") }
        options += headers.map { "--header \(quoted($0))" }
        if hasBody { options.append("--data-binary \(bodyArgument)") }
        return options
    }

    /// True if a body is sent, even an empty one.
    private var hasBody: Bool { !pieces.isEmpty || request.method.expectsBody }

    /// The header lines, including those that remove curl's defaults.
    private var headers: [String] {
        var fields = HTTPHeaders(request.allHTTPHeaderFields ?? [:])
        let hasLength = fields.contains(name: "Content-Length")
        fields.remove(name: "Content-Length")
        var lines = fields.map { name, value in
            let value = names.hasHeader(name) ? RedactionRules.marker : names.withoutSecrets(value)
            return value.isEmpty ? "\(name);" : "\(name): \(value)"
        }
        if !fields.contains(name: "User-Agent") { lines.append("User-Agent: \(PackageVersion.product)") }
        guard hasBody else { return lines }
        if !fields.contains(name: "Content-Type") {
            lines.append(pieces.isEmpty ? "Content-Type:" : "Content-Type: application/octet-stream")
        }
        if !fields.contains(name: "Expect") { lines.append("Expect:") }
        if !hasLength, !isInMemory { lines.append("Transfer-Encoding: chunked") }
        return lines
    }
}

// MARK: The body

extension CurlCommand {
    /// The pieces of the body, with adjacent bytes merged and their secrets redacted.
    private static func merged(
        _ pieces: [HTTPBody.Piece],
        type: String,
        without names: SecretNames
    ) -> [HTTPBody.Piece] {
        // A secret field of a form with files has its name in one piece and its value in the next.
        var merged: [HTTPBody.Piece] = []
        for piece in pieces {
            if case .bytes(let more) = piece, case .bytes(let bytes) = merged.last {
                merged[merged.count - 1] = .bytes(bytes + more)
            } else {
                merged.append(piece)
            }
        }
        var isFirst = true
        return merged.map { piece in
            guard case .bytes(let data) = piece else { return piece }
            // In a form with files, the bytes after a file begin with a line break before the boundary.
            let prefix = isFirst ? 0 : data.prefix(while: { $0 == 0x0D || $0 == 0x0A }).count
            isFirst = false
            let bytes = Array(data.dropFirst(prefix))
            guard let clean = names.redactedBody(bytes, type: type) else { return piece }
            return .bytes(data.prefix(prefix) + Data(clean.bytes))
        }
    }

    private var isInMemory: Bool {
        pieces.allSatisfy { if case .bytes = $0 { true } else { false } }
    }

    /// The body as an argument, or `@-` if it is read from the input.
    private var bodyArgument: String {
        switch pieces.first {
        case nil: "''"
        case .bytes(let data) where pieces.count == 1:
            // An argument that begins with `@` would name a file.
            data.first == UInt8(ascii: "@") ? "@-" : argument(data) ?? "@-"
        case .file(let url) where pieces.count == 1: quoted("@" + url.path)
        default: "@-"
        }
    }

    /// The commands that print the body; `nil` if none are needed.
    private var input: String? {
        guard bodyArgument == "@-" else { return nil }
        let commands = pieces.map { piece in
            switch piece {
            case .bytes(let data): "printf -- \(quotedForPrintf(data))"
            case .file(let url): "cat -- \(quoted(url.path))"
            case .stream: "cat"
            }
        }
        if commands == ["cat"] { return nil }
        return commands.count == 1 ? commands[0] : "{ \(commands.joined(separator: "; ")); }"
    }
}

extension HTTPBody.Piece {
    fileprivate var withoutBytes: HTTPBody.Piece { if case .bytes = self { .stream } else { self } }
}

// MARK: Quoting

extension CurlCommand {
    /// The text as one word of a POSIX shell.
    private func quoted(_ text: String) -> String {
        // By scalars: a quotation mark with a combining accent is another `Character`, but the same byte to a shell.
        "'" + text.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
    }

    /// The bytes as one word; `nil` if they are too long for an argument, or not printable.
    private func argument(_ data: Data) -> String? {
        guard data.count <= 64 << 10, let text = String(valid: data),
            !text.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" && $0 != "\t" })
        else { return nil }
        return quoted(text)
    }

    private func quotedForPrintf(_ data: Data) -> String {
        var text = ""
        for byte in data {
            switch byte {
            case UInt8(ascii: "%"): text += "%%"
            case 0x20...0x7E where byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "'"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 8)
                text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            }
        }
        return "'\(text)'"
    }
}

extension APIBase {
    /// The call as a curl command, as it would be sent now, without its secrets. For bug reports and experiments:
    ///
    /// ```
    /// curl --globoff --path-as-is --url 'https://books.example/v2/books?page=2' \
    ///   --header 'Accept: application/json' \
    ///   --header 'Authorization: REDACTED'
    /// ```
    ///
    /// Values with secret names (see ``RedactionRules``) are `REDACTED`: headers, query items, and fields of forms and
    /// of JSON. Everything else is exactly what the kit sends. The shell reads files; a stream is read from the input
    /// of the command. Changes by ``intercept(_:next:)`` are not included.
    ///
    /// If the request cannot be built, the text is a comment with the error.
    public var curlText: String {
        do {
            var request = try buildURLRequest()
            try addIdempotencyKey(to: &request)
            let settings = CallSettings(of: self, in: .inScope)
            for name in settings.authorization?.headerNames ?? []
            where request.value(forHTTPHeaderField: name) == nil {
                request.setValue(RedactionRules.marker, forHTTPHeaderField: name)
            }
            let names = SecretNames(.default, secretHeaders: settings.secretHeaders)
            let text = CurlCommand(request, body: try transportBody(of: request), without: names).text
            // A secret of one place may be repeated in another.
            return RequestSecrets(of: [request], secretHeaders: settings.secretHeaders).removed(from: text)
        } catch {
            return "# The request cannot be built: \(error.localizedDescription.withoutControls)"
        }
    }
}
