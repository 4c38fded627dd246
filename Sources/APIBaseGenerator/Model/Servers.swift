import Foundation
import OpenAPIDocument

/// The servers of a document.
enum Servers {
    /// The URL of the first server that has a whole one, with its variables by their defaults.
    static func first(in servers: Node, _ warnings: Warnings) -> String? {
        for server in servers.elements {
            if let url = url(server) { return url }
            warnings.add(server.pointer, "no URL of a server by itself, so it is not used")
        }
        return nil
    }

    /// The path of the first server, where that is all that the document says.
    static func path(in servers: Node?) -> String {
        let text = servers?.elements.first?.text("url") ?? ""
        return text.hasPrefix("/") && !text.hasPrefix("//") && text != "/" ? text : ""
    }

    private static func url(_ server: Node) -> String? {
        let text = server.serverURL
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host?.isEmpty == false, url.user == nil, url.query == nil, url.fragment == nil, !text.contains(" "),
            !text.contains("{")
        else { return nil }
        return text
    }
}
