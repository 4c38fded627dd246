// What a new app has after its first hour: a list with pages, a creation, an upload with progress, a token that is
// refreshed once when the server refuses it, and a test of all that.
import APIBaseTesting
import Foundation
import Testing

private nonisolated struct Note: Codable, Sendable { var text: String }
private nonisolated struct Session: Codable, Sendable { var token: String }

private class NotesAPI: JSONAPI, PagedAPI {
    static let tokens = TokenSource { _ in Token(try await login().value().token) }
    override class var baseURL: URL? { URL(string: "https://notes.example") }

    override func configure() {
        super.configure()
        authorization = .tokens(Self.tokens)
    }

    static func notes() -> APICall<[Note]> { NotesAPI(.get("/notes")).call() }
    static func create(_ note: Note) -> APICall<Note> { NotesAPI(.post("/notes", json: note)).call() }
    static func upload(_ file: URL) -> APICall<Void> { NotesAPI(.post("/files", content: .file(file))).call() }
    static func login() -> APICall<Session> { NotesAPI(.post("/login")).call().with { $0.authorization = nil } }
}

@Test(
    .stubs { stubs in
        stubs.on(.post, "/login").answer(inOrder: .json(Session(token: "a")), .json(Session(token: "b")))
        stubs.on(.get, "/notes").answer(.pages([[Note(text: "x")], [Note(text: "y")]]).expiring("a", afterUses: 1))
        stubs.on(.post, "/notes").answer(.echo)
        stubs.on(.post, "/files").answer(.status(201))
    }
)
func `Notes are listed over two pages with one refresh, created, and uploaded`() async throws {
    var (texts, progress): ([String], Double) = ([], 0)
    for try await note in NotesAPI.notes().eachElement() { texts.append(note.text) }
    texts.append(try await NotesAPI.create(Note(text: "z")).value().text)
    #expect(texts == ["x", "y", "z"])
    for try await step in NotesAPI.upload(URL(fileURLWithPath: #filePath)).eachProgress() {
        if case .sent(let bytes, let all) = step, all > 0 { progress = Double(bytes) / Double(all) }
    }
    #expect(progress == 1)
}
