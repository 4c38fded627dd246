import APIBaseRecording
import Foundation
import TestTiers
import Testing

/// A secret in every possible place of every entry. The file must not contain it.
@Suite(.limited) struct CanaryTests {
    private static let canary = "c4n4ry/+=s3cr3t&x"
    private let folder = TemporaryFolder()

    private var canary: String { Self.canary }

    /// The forms that a secret can have in a file.
    private var spellings: [String] {
        let encoded = Data(canary.utf8).base64EncodedString()
        return [
            canary, encoded, String(encoded.prefix(20)), "c4n4ry", "s3cr3t", "YzRuNHJ5", "czNjcjN0",
        ]
    }

    private func fetch(_ path: String, _ change: (Fetch) -> Void) -> Fetch { Fetch(path, .post).with(change) }

    private var requests: [Fetch] {
        let canary = canary
        let inForm = canary.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return [
            fetch("/header") { $0.headers["Authorization"] = "Bearer \(canary)" },
            fetch("/basic") {
                $0.headers["Authorization"] = "Basic \(Data("me:\(canary)".utf8).base64EncodedString())"
            },
            fetch("/own-header") {
                $0.headers["X-Mine"] = canary
                $0.secretHeaders.insert("x-mine")
            },
            fetch("/set-header") {
                $0.headers["X-Mine"] = canary
                $0.headers["Cookie"] = "sid=\(canary)"
                $0.secretHeaders = ["X-Mine"]
            },
            fetch("/names-of-headers") {
                $0.headers["X-Books-Token"] = canary
                $0.headers["X-Client-Secret"] = canary
            },
            fetch("/bearer") { $0.authorization = .bearer(canary) },
            fetch("/tokens") { $0.authorization = .tokens(TokenSource(Token(canary)) { _ in Token(canary) }) },
            fetch("/own-authorization") { $0.authorization = .header("X-Own", canary) },
            fetch("/names-of-items") {
                $0.queryItems = ["session", "AccountKey", "vendor_token", "SharedAccessSignature", "pin"]
                    .map { URLQueryItem(name: $0, value: canary) }
            },
            fetch("/names-of-fields") {
                let names = ["session", "accountKey", "vendor_token", "connectionString", "mfa_code"]
                $0.body = try? JSONEncoder().encode(Dictionary(uniqueKeysWithValues: names.map { ($0, canary) }))
            },
            fetch("/cookie") { $0.headers["Cookie"] = "a=b; sid=\"\(canary)\"" },
            fetch("/query") { $0.queryItems = [URLQueryItem(name: "api_key", value: canary)] },
            fetch("/referer") { $0.headers["Referer"] = "https://me:\(inForm)@other.example/?token=\(inForm)" },
            fetch("/form") {
                $0.headers["Content-Type"] = "application/x-www-form-urlencoded"
                $0.body = Data("user=me&password=\(inForm)".utf8)
            },
            fetch("/multipart") {
                $0.headers["Content-Type"] = "multipart/form-data; boundary=b"
                let part = "--b\r\nContent-Disposition: form-data; name=\"secret\"\r\n\r\n\(canary)\r\n--b--\r\n"
                $0.body = Data(part.utf8)
            },
            fetch("/json") { $0.body = Data(#"{"user":{"password":"\#(canary)"},"note":"is \#(canary)"}"#.utf8) },
            fetch("/stream") {
                let data = Data(#"{"token":["\#(canary)"]}"#.utf8)
                $0.bodyStream = (InputStream(data: data), data.count)
            },
            fetch("/binary") {
                $0.headers["X-Api-Key"] = canary
                $0.body = Data([0xFF]) + Data(canary.utf8)
            },
            fetch("/path/\(segment: canary)") { $0.headers["X-Api-Key"] = canary },
            // Only in the response, or in an unlikely place, but known from another entry.
            fetch("/set-cookie") { _ in }, fetch("/reply-json") { _ in }, fetch("/reply-location") { _ in },
            fetch("/elsewhere/\(segment: canary)") { $0.body = Data("it is \(canary)".utf8) },
        ]
    }

    /// A server that repeats everything it receives, and adds its own secrets.
    private var network: FakeNetwork {
        let canary = canary
        let inURL = canary.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return FakeNetwork { request throws(TransportError) in
            switch request.urlRequest.url?.path {
            case "/set-cookie": return .init("", headers: ["Set-Cookie": "sid=\(canary); Path=/; HttpOnly"])
            case "/reply-json": return .init(#"{"access_token":"\#(canary)","again":["\#(canary)"]}"#)
            case "/reply-location":
                return .init(
                    "<a href=\"https://h/?a=1&amp;token=\(inURL)\">",
                    status: 201,
                    headers: [
                        "Location": "https://h/?token=\(inURL)", "Link": "<https://me:\(inURL)@h/>; rel=next",
                    ]
                )
            default:
                let body = (try? request.body.bytes()) ?? Data()
                var reply = FakeNetwork.Reply()
                reply.headers["X-Echo"] = (request.urlRequest.allHTTPHeaderFields ?? [:]).values.sorted().joined()
                reply.body = Data("\(request.urlRequest.url?.absoluteString ?? "")\n".utf8) + body
                return reply
            }
        }
    }

    @Test
    func `The file, the errors and the dumps of a recording contain no secret of a request or response`() async throws {
        let recording = try Recording(file: folder.file(), mode: .once, over: network)
        try await recording.run {
            // At this time it is not known to be a secret.
            _ = try await Fetch("/before/\(segment: canary)").value()
            for request in requests { _ = try await request.value() }
        }
        // The kit sends no URL with a user name, but another recorder may.
        let user = canary.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let url = try #require(URL(string: "https://me:\(user)@api.example/user#access_token=\(user)"))
        for try await _ in recording.exchange(ExchangeRequest(URLRequest(url: url))).values {}
        try recording.save()
        let text = try String(contentsOf: folder.file(), encoding: .utf8)
        #expect(text.contains("/before/REDACTED"))
        #expect(text.contains("/elsewhere/REDACTED"))
        #expect(text.contains("https://REDACTED@api.example/user\""))
        try expectNothingSecret(in: text)

        // The messages and descriptions of a replay must not contain it either.
        let replay = try Recording(file: folder.file(), mode: .replay)
        var described = ""
        dump(recording, to: &described)
        dump(replay, to: &described)
        for request in requests {
            request.path = "/nothing" + request.path.replacingOccurrences(of: canary, with: "")
            do {
                _ = try await replay.run { try await request.value() }
                Issue.record("nothing should answer \(request.path)")
            } catch {
                described += "\(error) \(error.localizedDescription)"
                dump(error, to: &described)
            }
        }
        try expectNothingSecret(in: described.replacingOccurrences(of: "%2F", with: "/"))
    }

    /// The secrets of a browser's file are removed when it is written again.
    @Test(arguments: [BrowserExports.chrome, BrowserExports.firefox])
    func `Recording mode .new redacts the secrets of a browser's HAR file when it writes the file again`(text: String)
        async throws
    {
        let file = try folder.write(text)
        #expect(text.contains("secret"))
        let recording = try Recording(file: file, mode: .new, over: FakeNetwork("more"))
        _ = try await recording.run { try await Fetch("/more").value() }
        let written = try String(contentsOf: file, encoding: .utf8)
        #expect(written.contains("REDACTED"))
        #expect(!written.contains("-secret"))
        #expect(!written.contains("firefox-cookie"))
        #expect(written.contains("http://api.example/more"))
    }

    /// The text is searched as it is, and with its base64 bodies decoded.
    private func expectNothingSecret(in text: String) throws {
        for spelling in spellings {
            if let range = text.range(of: spelling, options: .caseInsensitive) {
                let start = text.index(range.lowerBound, offsetBy: -200, limitedBy: text.startIndex) ?? text.startIndex
                Issue.record("\(spelling) is in …\(text[start..<range.upperBound])")
            }
        }
        for match in text.matches(of: /"text" : "([A-Za-z0-9+\/=]{8,})"/) {
            guard let data = Data(base64Encoded: String(match.1)) else { continue }
            #expect(data.firstRange(of: Data("c4n4ry".utf8)) == nil)
        }
    }
}
