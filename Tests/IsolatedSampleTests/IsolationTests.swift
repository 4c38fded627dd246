import APIBaseTesting
import Dispatch
import TestTiers
import Testing

/// Its properties are read where the compiler says: in this target, on the main actor.
private struct Note: Codable, Sendable {
    var text: String
    let isOnMain: Bool

    private enum Keys: CodingKey { case text }

    nonisolated init(from decoder: any Decoder) throws {
        text = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .text)
        isOnMain = MainQueue.isCurrent
    }
}

/// The queue of the main actor.
private nonisolated enum MainQueue {
    private static let key = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

private class NotesAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://notes.example") }
}

private final class NoteRequest: NotesAPI, Request {
    typealias ModelType = Note
    override init() { super.init(.get("/note")) }
}

extension NotesAPI {
    static func note() -> APICall<Note> { NotesAPI(.get("/note")).call() }
}

/// A list with the state of a screen.
private final class Screen {
    var texts: [String] = []

    func load() async throws {
        texts.append(try await NoteRequest().value().text)
        texts.append(try await NotesAPI.note().value().text)
    }
}

@Suite(.limited) struct IsolationTests {
    @Test(.stubs { $0.on(.get, "/note").answer(.json(#"{"text": "a"}"#)) })
    func `A call that starts on the main actor is decoded on another thread, and its value arrives on the main actor`()
        async throws
    {
        #expect(MainQueue.isCurrent)
        let notes = [try await NoteRequest().value(), try await NotesAPI.note().value()]
        #expect(MainQueue.isCurrent)
        #expect(notes.allSatisfy { !$0.isOnMain })
    }

    @Test(.stubs { $0.on(.get, "/note").answer(.json(#"{"text": "a"}"#)) })
    func `A class of the main actor keeps its state over calls, without a word of isolation`() async throws {
        let screen = Screen()
        try await screen.load()
        #expect(screen.texts == ["a", "a"])
    }
}
