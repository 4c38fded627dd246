import Foundation
import OpenAPIDocument

/// The calls of a recording in the format HAR 1.2.
struct HARFile {
    struct Call {
        let method: String
        let url: URLComponents
        let status: Int
        let headers: [(name: String, value: String)]
        let request: Content
        let reply: Content

        /// The path below a base, in parts as they stand in the URL; `nil` for another place.
        func segments(below base: URLComponents) -> [String]? {
            guard url.scheme == base.scheme, url.host == base.host, url.port == base.port else { return nil }
            let (path, start) = (url.parts, base.parts)
            return path.starts(with: start) ? Array(path.dropFirst(start.count)) : nil
        }

        /// Whether a reply came that says what it is. Status 0 is that of calls that were given up.
        var isAnswered: Bool { status >= 200 && status != 304 }
    }

    /// A body with its media type.
    struct Content {
        let type: MediaType
        let text: String
        let json: JSON?
        let fields: [FormField]

        /// Whether there is a body: of forms, some browsers have only the fields.
        var isPresent: Bool { !text.isEmpty || !fields.isEmpty }

        init(_ content: JSON?) {
            type = MediaType(content?["mimeType"]?.string ?? "")
            let plain = content?["text"]?.string ?? ""
            let decoded = content?["encoding"]?.string == "base64" ? Data(base64Encoded: plain) : nil
            text = decoded.map { String(decoding: $0, as: UTF8.self) } ?? plain
            json = type.isJSON ? try? JSONReader.read(Data(text.utf8)) : nil
            fields = content.map { [text] in FormField.all(in: $0, text: text) } ?? []
        }
    }

    let calls: [Call]

    /// - Throws: ``Refusal`` for a file that is no recording.
    init(_ data: Data, name: String) throws {
        guard let entries = try JSON(data, name: name)["log"]?["entries"]?.array else {
            throw Refusal.badSettings(name, reason: "no recording: it has no “log” with “entries”")
        }
        calls = entries.compactMap { entry in
            guard let request = entry["request"], let method = request["method"]?.string,
                let url = request["url"]?.string.flatMap({ URLComponents(string: $0) })
            else { return nil }
            return Call(
                method: method.uppercased(),
                url: url,
                status: entry["response"]?["status"]?.integer ?? 0,
                headers: (request["headers"]?.array ?? []).map {
                    ($0["name"]?.string ?? "", $0["value"]?.string ?? "")
                },
                request: Content(request["postData"]),
                reply: Content(entry["response"]?["content"])
            )
        }
    }
}

extension URLComponents {
    var parts: [String] { percentEncodedPath.split(separator: "/").map(String.init) }
}
