import APIBaseKit
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// What a download leaves to go on later says nothing of the request.
@Suite(.limited) struct DownloadSecretsTests {
    private static let canary = "canary4711"

    @Test(arguments: Credential.all)
    func `The partial file and resume data of a download contain no credentials of the request`(credential: Credential)
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // It is cut off after three of a hundred bytes.
        let server = try ScriptedServer(hostile: { connection in
            try connection.write("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 100\r\n\r\nabc")
        })
        defer { server.stop() }
        let call = APIBase()
        call.baseURL = server.url("/")
        call.path = "/\(Self.canary)"
        call.queryItems = [URLQueryItem(name: "access_token", value: Self.canary)]
        credential.apply(call, Self.canary)
        await #expect(throws: (any Error).self) {
            for try await _ in call.download(to: folder.appendingPathComponent("file")).values {}
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["file.partial", "file.partial-info"])
        for name in names {
            let data = try Data(contentsOf: folder.appendingPathComponent(name))
            #expect(!String(decoding: data, as: UTF8.self).contains(Self.canary))
        }
    }
}
