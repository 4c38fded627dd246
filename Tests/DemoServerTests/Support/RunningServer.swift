import DemoServer
import Foundation
import RawClient
import Testing

/// A demo server on a free port for one test, with a client.
final class RunningServer: Sendable {
    let server: DemoAPIServer
    let port: UInt16

    init(_ configuration: DemoAPIServer.Configuration = DemoAPIServer.Configuration()) throws {
        server = DemoAPIServer(configuration: configuration)
        try server.start()
        port = try #require(server.port)
    }

    deinit { server.stop() }

    func send(
        _ method: String,
        _ target: String,
        _ headers: KeyValuePairs<String, String> = [:],
        json: String? = nil
    ) throws -> RawResponse {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: demo.test\r\nConnection: close\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if let json { text += "Content-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n" }
        let client = try RawClient(port)
        try client.send(text + "\r\n" + (json ?? ""))
        return try client.response(toHead: method == "HEAD")
    }
}

func basic(_ name: String, _ password: String) -> String {
    "Basic " + Data("\(name):\(password)".utf8).base64EncodedString()
}
