import Foundation

/// The servers of a document.
enum Servers {
    /// The URL of the first server that has a whole one, with its variables by their defaults.
    static func first(in servers: Node) -> String? {
        servers.elements.lazy.compactMap(url).first
    }

    private static func url(_ server: Node) -> String? {
        guard var text = server.text("url") else { return nil }
        for (name, variable) in server["variables"]?.members ?? [] {
            text = text.replacing("{\(name)}", with: variable.json["default"]?.text ?? "")
        }
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host?.isEmpty == false, url.user == nil, url.fragment == nil
        else { return nil }
        return text
    }
}
