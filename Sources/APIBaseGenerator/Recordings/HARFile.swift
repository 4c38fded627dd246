import Foundation

/// The calls of a recording in the format HAR 1.2.
struct HARFile {
    struct Call {
        let method: String
        let url: URL
        let status: Int
        let requestHeaders: [(name: String, value: String)]
        let requestType: String
        let requestText: String?
        let replyType: String
        let replyText: String?

        var queryItems: [URLQueryItem] { URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? [] }
        var requestJSON: JSON? { MediaType(requestType).isJSON ? Self.json(requestText) : nil }
        var replyJSON: JSON? { MediaType(replyType).isJSON ? Self.json(replyText) : nil }

        private static func json(_ text: String?) -> JSON? { text.flatMap { try? JSONReader.read(Data($0.utf8)) } }
    }

    let calls: [Call]

    /// - Throws: ``Refusal`` for a file that is no recording.
    init(_ data: Data, name: String) throws {
        let json: JSON
        do {
            json = try JSONReader.read(data)
        } catch {
            throw Refusal.notJSON(name, error)
        }
        guard let entries = json["log"]?["entries"]?.array else {
            throw Refusal.badSettings(name, reason: "no recording: it has no “log” with “entries”")
        }
        calls = entries.compactMap(Self.call)
    }

    private static func call(_ entry: JSON) -> Call? {
        guard let request = entry["request"], let response = entry["response"],
            let method = request["method"]?.string, let url = request["url"]?.string.flatMap({ URL(string: $0) })
        else { return nil }
        let content = response["content"]
        let headers = (request["headers"]?.array ?? []).compactMap { header -> (name: String, value: String)? in
            guard let name = header["name"]?.string else { return nil }
            return (name, header["value"]?.string ?? "")
        }
        return Call(
            method: method.uppercased(),
            url: url,
            status: response["status"]?.integer ?? 0,
            requestHeaders: headers,
            requestType: request["postData"]?["mimeType"]?.string ?? "",
            requestText: request["postData"]?["text"]?.string,
            replyType: content?["mimeType"]?.string ?? "",
            replyText: text(of: content)
        )
    }

    private static func text(of content: JSON?) -> String? {
        guard let text = content?["text"]?.string else { return nil }
        guard content?["encoding"]?.string == "base64" else { return text }
        return Data(base64Encoded: text).map { String(decoding: $0, as: UTF8.self) }
    }
}
