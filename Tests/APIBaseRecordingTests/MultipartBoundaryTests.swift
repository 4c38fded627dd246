import APIBaseRecording
import Foundation
import TestTiers
import Testing

@Suite(.limited) struct MultipartBoundaryTests {
    private let folder = TemporaryFolder()

    private func form(_ text: String) -> Fetch {
        let title = MultipartPart(name: "title", content: .data(Data(text.utf8), type: "text/plain"))
        return Fetch("/photos", .post).with { $0.content = .multipart([title]) }
    }

    @Test func `A replay that matches by body and type answers a form with files whatever its boundary`() async throws {
        let recording = try Recording(file: folder.file(), over: FakeNetwork("first", "second"))
        _ = try await recording.run { try await form("a").value() + form("b").value() }
        let criteria = Set<Recording.Criterion>.default.union([.body, .header("Content-Type")])
        let replay = try Recording(file: folder.file(), mode: .replay, matching: criteria)
        try await replay.run {
            let answers = try await [form("b").value(), form("a").value()]
            #expect(answers == ["second", "first"])
            await #expect(throws: RecordingError.self) { try await form("c").value() }
        }
    }
}
