import APIBaseKit
import HostileServer
import LoopbackServer
import TestTiers
import Testing

@testable import apibase

/// The names that servers give to downloads.
@Suite(.limited) struct ServerFileNameTests {
    /// RFC 6266, section 5, and what servers write.
    @Test(
        arguments: [
            (#"attachment; filename="report.pdf""#, "report.pdf"), ("attachment; filename=report.pdf", "report.pdf"),
            (#"ATTACHMENT ; FileName = "a b.txt" ; size=7"#, "a b.txt"), (#"inline;filename="a.txt""#, "a.txt"),
            (#"attachment; filename="a;b.txt""#, "a;b.txt"), (#"attachment; filename="a\"b.txt""#, #"a"b.txt"#),
            ("attachment; filename=a b.txt", "a b.txt"), ("attachment; filename*=UTF-8''%e2%82%ac.txt", "€.txt"),
            ("attachment; filename*=utf-8'en'a%20b.txt", "a b.txt"),
            ("attachment; filename*=ISO-8859-1''%e4.txt", "ä.txt"),
            (#"attachment; filename="EURO.txt"; filename*=UTF-8''%e2%82%ac.txt"#, "€.txt"),
            (#"attachment; filename*=UTF-8''%e2%82%ac.txt; filename="EURO.txt""#, "€.txt"),
            (#"attachment; filename="a.txt"; filename*=UTF-8''%ff.txt"#, "a.txt"),
            (#"attachment; filename="a.txt"; filename*=UTF-16''x.txt"#, "a.txt"),
            (#"attachment; filename="a.txt"; filename*=x.txt"#, "a.txt"),
            (#"attachment; filename="a%20b.txt""#, "a%20b.txt"), ("attachment", nil), ("", nil),
            ("attachment; name=a", nil),
            (#"attachment; filename="""#, ""), ("filename=a.txt", nil), ("attachment; filename", ""),
        ] as [(String, String?)]
    )
    func `The name in Content-Disposition is that of filename*, or else that of filename`(field: String, name: String?)
    {
        #expect(ServerFileName.name(in: field) == name)
    }

    @Test(
        arguments: [
            ("a.txt", "a.txt"), ("../../etc/passwd", "passwd"), ("/etc/passwd", "passwd"),
            (#"C:\Users\me\a.exe"#, "a.exe"),
            (#"..\..\a.txt"#, "a.txt"), (".bashrc", "bashrc"), ("...profile", "profile"), (" .ssh", "ssh"), ("..", nil),
            (".", nil), ("", nil), ("/", nil), ("a/", "a"), ("  a  ", "a"), ("a\u{0}b", "a_b"), ("a\r\nb", "a__b"),
            ("a\u{1B}[31mb", "a_[31mb"), ("a\u{202E}gpj.exe", "a_gpj.exe"), ("a\u{2028}b", "a_b"), ("a.partial", nil),
            ("a.PARTIAL", nil), ("a.partial-info", nil), ("a.partials", "a.partials"), ("…", "…"), ("\u{0}", "_"),
            (String(repeating: "x", count: 201), nil), ("e\u{301}.txt", "e\u{301}.txt"),
        ] as [(String, String?)]
    )
    func `A name from a server loses its folders, dots before it and control characters`(name: String, safe: String?) {
        #expect(ServerFileName.safe(name).map { Array($0.utf8) } == safe.map { Array($0.utf8) })
    }

    /// What the command asks for, what the server says, and the file.
    @Test(
        arguments: [
            ("/get?id=7", "/get?id=7", #"attachment; filename="report.pdf""#, "report.pdf"),
            ("/get?id=7", "/files/setup-1.4.exe?sig=x", nil, "setup-1.4.exe"),
            ("/get", "/files/x", "attachment; filename*=UTF-8''%e2%82%ac.txt", "€.txt"),
            ("/", "/", nil, "download"), ("", "/", nil, "download"), ("/?Linkid=8", "/a.zip", nil, "a.zip"),
            ("/a.bin", "/a.bin", #"attachment; filename="../../evil""#, "evil"),
            ("/a.bin", "/a.bin", #"attachment; filename="..""#, "a.bin"), ("/a.bin", "/", nil, "a.bin"),
            ("/a.bin", "/.hidden", nil, "hidden"),
            ("/a.bin", "/a.bin", "attachment; filename=.ssh/authorized_keys", "authorized_keys"),
        ] as [(String, String, String?, String)]
    )
    func `The download command names a file as Content-Disposition says, or after the last URL`(
        asked: String,
        final: String,
        field: String?,
        name: String
    ) async throws {
        let lab = try Lab()
        let server = try ScriptedServer { request, connection, _ in
            if request.target != final, final != "/" || request.target == "/a.bin" {
                return try connection.write(reply("302 Found", ["Location: \(final)"]))
            }
            try connection.write(reply("200 OK", field.map { ["Content-Disposition: \($0)"] } ?? [], body: "x"))
        }
        defer { server.stop() }
        let url = server.url("").absoluteString + asked
        let outcome = await run("download", url, "--out", lab.folder.path + "/")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try lab.names == [name])
        // A file of one's own keeps its name.
        #expect(await run("download", url, "--out", lab.path("own")).code == 0)
        #expect(try lab.names == [name, "own"].sorted())
    }

    @Test func `A name from a server replaces no file, and the name of the URL in the command does`() async throws {
        let lab = try Lab()
        let server = try ScriptedServer { request, connection, _ in
            let field = request.target == "/get" ? ["Content-Disposition: attachment; filename=a.txt"] : []
            try connection.write(reply("200 OK", field, body: request.target))
        }
        defer { server.stop() }
        try Data("mine".utf8).write(to: URL(fileURLWithPath: lab.path("a.txt")))
        for _ in 0..<2 {
            let outcome = await run("download", server.url("/get").absoluteString, "--out", lab.folder.path + "/")
            #expect(outcome.code == 0 && outcome.errors.contains("get is saved as a-"))
        }
        #expect(try lab.names == ["a-2.txt", "a-3.txt", "a.txt"])
        #expect(try lab.data("a.txt") == Data("mine".utf8))
        #expect(await run("download", server.url("/a.txt").absoluteString, "--out", lab.folder.path + "/").code == 0)
        #expect(try lab.data("a.txt") == Data("/a.txt".utf8))
    }

    /// Somebody removes the partial file, or replaces it, before the download is complete.
    @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
    func `A download that cannot take the name from the server leaves no empty file of that name`(
        isReplaced: Bool,
        isNumbered: Bool
    ) async throws {
        let lab = try Lab()
        let partial = URL(fileURLWithPath: lab.path("get.partial"))
        if isNumbered { try Data("mine".utf8).write(to: URL(fileURLWithPath: lab.path("b.bin"))) }
        let server = try ScriptedServer { _, connection, _ in
            let field = "Content-Disposition: attachment; filename=b.bin"
            try connection.write("HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: 4\r\n\r\nab")
            for _ in 0..<3_000 { if unlink(partial.path) == 0 { break } else { usleep(10_000) } }
            if isReplaced { try Data("other".utf8).write(to: partial) }
            try connection.write("cd")
        }
        defer { server.stop() }
        let outcome = await run("download", server.url("/get").absoluteString, "--out", lab.folder.path + "/")
        #expect(outcome.code == 1)
        #expect(try lab.names.filter { $0.hasPrefix("b") } == (isNumbered ? ["b.bin"] : []))
    }

    @Test func `A download that was cut off is resumed and then gets the name from the server`() async throws {
        let lab = try Lab()
        let server = try ScriptedServer { _, connection, index in
            let tag = "ETag: \"1\"\r\nContent-Disposition: attachment; filename=b.bin\r\n"
            if index == 0 {
                try connection.write("HTTP/1.1 200 OK\r\n\(tag)Content-Length: 4\r\n\r\nab")
            } else {
                let range = "Content-Range: bytes 2-3/4\r\n"
                try connection.write("HTTP/1.1 206 Partial Content\r\n\(tag)\(range)Content-Length: 2\r\n\r\ncd")
            }
            connection.close()
        }
        defer { server.stop() }
        let call = ["download", server.url("/get").absoluteString, "--out", lab.folder.path + "/"]
        #expect(await run(call).code == 1)
        #expect(try lab.names == ["get.partial", "get.partial-info"])
        #expect(await run(call).code == 0)
        #expect(try lab.names == ["b.bin"])
        #expect(try lab.data("b.bin") == Data("abcd".utf8))
    }
}
