import Basics
package import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// Why no request can be made of a document alone.
package struct SampleGap: Error, Sendable {
    package let reason: String
}

extension Contract {
    /// The URL of the first server of the whole document, with the defaults of its variables.
    package var mainServer: URL? { root.servers.first }

    /// The URLs of all servers, also of paths and operations.
    package var servers: [URL] { root.servers + operations.flatMap { $0.item.servers + $0.node.servers } }

    /// A request of an operation, with the values that the document shows of its required parameters, and no body.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - base: The URL before its path.
    ///   - credentials: The value for a security scheme, and where it can be given.
    /// - Returns: The request.
    /// - Throws: What the document does not show.
    package func sampleRequest(
        of operation: DocumentedOperation,
        base: URL,
        credentials: (_ scheme: String) -> (name: String, value: String?)
    ) throws(SampleGap) -> URLRequest {
        if operation.node["requestBody"]?.resolved(in: root)?.flag("required") ?? false {
            throw SampleGap(reason: "not sent, since it needs a body")
        }
        let halves = operation.path.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1)
        var path = String(halves.first ?? "/")
        // Some documents have query items in the path.
        var query = halves.dropFirst().map(String.init)
        var headers: [String: String] = [:]
        for parameter in operation.parameters(in: root, schemas) where parameter.isRequired {
            guard let text = parameter.shownText(in: root) else {
                throw SampleGap(reason: "not sent, since the document shows no \(parameter.description)")
            }
            switch parameter.location {
            case .path: path = path.replacing("{\(parameter.name)}", with: text.escapedUnlessUnreserved)
            case .query: query.append(Self.item(parameter.name, text))
            case .header: headers[parameter.name] = text
            case .cookie: headers.addCookie("\(parameter.name)=\(text)")
            }
        }
        try add(credentials, of: operation, &query, &headers)
        let items = query.isEmpty ? "" : "?\(query.joined(separator: "&"))"
        let unknown = PathTemplate("\(path)\(items)").parameterNames
        if !unknown.isEmpty { throw SampleGap(reason: "not sent, since the document shows no \(unknown.quoted)") }
        var components = URLComponents(url: base, resolvingAgainstBaseURL: true) ?? URLComponents()
        (components.query, components.fragment) = (nil, nil)
        let root = components.string ?? ""
        // Read as a text: what stands in the document need not be the path of a URL.
        guard let address = URL(string: "\(root.hasSuffix("/") ? root.dropLast() : root[...])\(path)\(items)") else {
            throw SampleGap(reason: "not sent, since its path gives no URL")
        }
        var request = URLRequest(url: address)
        request.httpMethod = operation.method
        request.allHTTPHeaderFields = headers
        return request
    }

    /// Adds the credentials of the first alternative that is there.
    private func add(
        _ credentials: (String) -> (name: String, value: String?),
        of operation: DocumentedOperation,
        _ query: inout [String],
        _ headers: inout [String: String]
    ) throws(SampleGap) {
        let alternatives =
            (operation.node["security"] ?? root["security"])?.elements.map { $0.members.map(\.name) } ?? []
        guard !alternatives.isEmpty, !alternatives.contains([]) else { return }
        guard let names = alternatives.first(where: { $0.allSatisfy { credentials($0).value != nil } }) else {
            let variables = alternatives[0].map { credentials($0).name }.joined(separator: " and ")
            throw SampleGap(reason: "not sent, since it needs \(variables)")
        }
        for name in names {
            let scheme = root["components"]?["securitySchemes"]?[name]?.resolved(in: root)
            let value = credentials(name).value ?? ""
            switch (scheme?.text("type"), scheme?.text("in")) {
            case ("apiKey", "query"): query.append(Self.item(scheme?.text("name") ?? "", value))
            case ("apiKey", "cookie"): headers.addCookie("\(scheme?.text("name") ?? "")=\(value)")
            case ("apiKey", _): headers[scheme?.text("name") ?? ""] = value
            case _ where scheme?.text("scheme")?.lowercased() == "basic":
                headers["Authorization"] = "Basic \(Data(value.utf8).base64EncodedString())"
            default: headers["Authorization"] = "Bearer \(value)"
            }
        }
    }
}

extension Node {
    /// The URLs of the servers that it names whole.
    fileprivate var servers: [URL] {
        (self["servers"]?.elements ?? []).map(\.serverURL).compactMap { text in
            text.contains("{") ? nil : URL(string: text).flatMap { $0.host == nil ? nil : $0 }
        }
    }
}

extension Contract {
    private static func item(_ name: String, _ value: String) -> String {
        "\(name.escapedUnlessUnreserved)=\(value.escapedUnlessUnreserved)"
    }
}

extension [String: String] {
    fileprivate mutating func addCookie(_ cookie: String) {
        self["Cookie"] = self["Cookie"].map { "\($0); \(cookie)" } ?? cookie
    }
}

extension DocumentedParameter {
    /// A value that the document shows, as a text.
    fileprivate func shownText(in root: Node) -> String? {
        let shown = node.examples(in: root) + (schema?.resolved(in: root)?.shownValues ?? [])
        return shown.lazy.compactMap(\.text).first { !$0.isEmpty }
    }
}
