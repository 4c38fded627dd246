import Basics
import DemoServer
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct LabTokensTests {
    private struct Issued: Decodable { let access_token, token_type, refresh_token: String, expires_in: Int }

    private func ask(_ server: RunningServer, _ form: String, _ query: String = "") throws -> RawResponse {
        let client = try RawClient(server.port)
        return try client.exchange(
            "POST /lab/token\(query) HTTP/1.1\r\nHost: demo.test\r\nConnection: close\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(form.utf8.count)\r\n\r\n\(form)"
        )
    }

    @Test func tokensExpireAndAreRenewedOnce() throws {
        let time = Locked(Date(timeIntervalSince1970: 1_000_000))
        var configuration = DemoAPIServer.Configuration()
        configuration.now = { time.withLock { $0 } }
        let server = try RunningServer(configuration)
        func status(_ token: String) throws -> Int {
            try server.send("GET", "/lab/private", ["Authorization": "Bearer \(token)"]).status
        }
        let client = "client_id=demo&client_secret=demo"
        let first: Issued = try ask(server, "grant_type=client_credentials&\(client)", "?lifetime=2").json()
        #expect(first.expires_in == 2 && first.token_type == "Bearer")
        #expect(try status(first.access_token) == 200)
        #expect(try status("other") == 401)
        time.withLock { $0 += 2 }
        #expect(try status(first.access_token) == 401)
        let renewal = "grant_type=refresh_token&refresh_token=\(first.refresh_token)&\(client)"
        let second: Issued = try ask(server, renewal).json()
        #expect(try status(second.access_token) == 200)
        #expect(try ask(server, renewal).status == 400)
    }

    @Test(
        arguments: [
            ("grant_type=client_credentials&client_id=demo&client_secret=wrong", 401),
            ("grant_type=client_credentials", 401),
            ("grant_type=password&client_id=demo&client_secret=demo", 400), ("client_id=demo&client_secret=demo", 400),
            ("grant_type=refresh_token&client_id=demo&client_secret=demo&refresh_token=refresh-1", 400), ("", 401),
        ]
    )
    func requestsThatAreRefused(form: String, status: Int) throws {
        #expect(try ask(RunningServer(), form).status == status)
    }
}
