#if os(Linux)
import APIBaseKit
import HostileServer
import TestTiers
import Testing

@testable import apibase

/// The options for the connection.
@Suite(.limited) struct ConnectionTests {
    /// The output of a child process, because in this one, tests may only connect to this machine.
    private func output(_ arguments: String...) async throws -> String {
        try await OpenSSL.offPool {
            String(decoding: try ChildProcess(PseudoTerminal.program, arguments).finish().output, as: UTF8.self)
        }
    }

    @Test func `The option --resolve of apibase connects a host name to the given address`() async throws {
        let server = try ScriptedServer(always: reply(body: "here"))
        defer { server.stop() }
        let place = "books.example:\(server.port)"
        for addresses in ["127.0.0.1", "127.0.0.1,::1"] {
            #expect(try await output("get", "http://\(place)/", "--resolve", "\(place):\(addresses)") == "here")
        }
        #expect(server.requests.allSatisfy { $0["Host"] == place })
    }

    @Test
    func `The option --proxy of apibase sends the full URL to the proxy, with the proxy's credentials`() async throws {
        let proxy = try ScriptedServer(always: reply(body: "by way of it"))
        defer { proxy.stop() }
        let address = proxy.url("").absoluteString.replacing("http://", with: "http://name:geheim@")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("\(address)\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for value in [address, "file:\(file.path)"] {
            #expect(try await output("get", "http://books.example/7", "--proxy", value) == "by way of it")
        }
        #expect(proxy.requests.allSatisfy { $0["Proxy-Authorization"] == "Basic bmFtZTpnZWhlaW0=" })
        #expect(proxy.requests.map(\.target) == ["http://books.example/7", "http://books.example/7"])
    }

    @Test(.enabled(if: OpenSSL.program != nil))
    func `The get command trusts a test server only if --cacert has its authority or its own certificate`() async throws
    {
        let authority = try await Authority.make()
        let server = try await TLSServer.start(authority.certify("localhost"))
        defer { server.stop() }
        let url = "https://localhost:\(server.port)/"
        #expect(await run("get", url).code == 1)
        #expect(await run("get", url, "--cacert", authority.certificate.path).code == 0)
        let own = try await authority.selfSigned("localhost")
        #expect(await run("get", url, "--cacert", own.certificate.path).code == 1)
        let alone = try await TLSServer.start(own)
        defer { alone.stop() }
        let call = ["get", "https://localhost:\(alone.port)/", "--cacert", own.certificate.path]
        #expect(await run(call).code == 0)
    }

    @Test(.enabled(if: OpenSSL.program != nil))
    func `The option --cert of apibase sends a client certificate to a server that requires one`() async throws {
        let authority = try await Authority.make()
        let server = try await TLSServer.start(authority.certify("localhost"), askingFor: authority)
        defer { server.stop() }
        let client = try await authority.certify("client")
        let call = ["get", "https://localhost:\(server.port)/", "--cacert", authority.certificate.path]
        #expect(await run(call).code == 1)
        #expect(await run(call + ["--cert", client.certificate.path, "--key", client.key.path]).code == 0)
        let both = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let texts = try [client.certificate, client.key].map { try Data(contentsOf: $0) }
        try Data(texts.joined()).write(to: both)
        defer { try? FileManager.default.removeItem(at: both) }
        #expect(await run(call + ["--cert", both.path]).code == 0)
    }

    @Test func `A Connection with --resolve gives the same CurlSession each time, and nil without options`() throws {
        let arguments = try Arguments(["--resolve", "h:1:127.0.0.1"], options: Connection.options)
        let connection = try Connection(arguments)
        let sessions = (0..<2).map { _ in connection.session as? CurlSession }
        #expect(sessions[0] != nil)
        #expect(sessions[0] === sessions[1])
        #expect(Connection().session == nil)
    }

    @Test(
        arguments: [
            ["--cacert", "/nothing"]: "the value of “--cacert” cannot be read: /nothing is not a readable file.",
            ["--cert", "/nothing"]: "the value of “--cert” cannot be read: /nothing is not a readable file.",
            ["--key", "/nothing"]: "“--key” needs “--cert”.",
            ["--resolve", "h:1"]:
                "“h:1” is not valid for “--resolve”: expected HOST:PORT:ADDRESS, such as example.com:443:127.0.0.1.",
            ["--resolve", "h:x:::"]:
                "“h:x:::” is not valid for “--resolve”: expected HOST:PORT:ADDRESS, such as example.com:443:127.0.0.1.",
            ["--proxy", "env:APIBASE_NOT_THERE"]:
                "the value of “--proxy” cannot be read: there is no variable APIBASE_NOT_THERE.",
        ]
    )
    func `A wrong --cacert, --cert, --key, --resolve or --proxy exits with 2 and a line with the reason`(
        options: [String],
        error: String
    ) async {
        let outcome = await run(["get", ":1"] + options)
        #expect(outcome.code == 2)
        #expect(outcome.errors == "apibase: \(error)\nTry “apibase get --help”.\n")
    }
}
#endif
