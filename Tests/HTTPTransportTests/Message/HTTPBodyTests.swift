import Foundation
import Testing

@testable import HTTPTransport

@Suite struct HTTPBodyTests {
    private func temporaryFile(_ text: String) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(text.utf8).write(to: url)
        return url
    }

    @Test func `HTTPBody.count is nil only for a missing file or a stream of unknown length`() throws {
        let file = try temporaryFile("12345")
        let link = file.appendingPathExtension("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        defer {
            try? FileManager.default.removeItem(at: link)
            try? FileManager.default.removeItem(at: file)
        }
        let make: @Sendable () -> InputStream = { InputStream(data: Data("123".utf8)) }
        #expect(HTTPBody.none.count == 0)
        #expect(HTTPBody.data(Data("12".utf8)).count == 2)
        #expect(HTTPBody.file(file).count == 5)
        #expect(HTTPBody.file(link).count == 5)
        #expect(HTTPBody.file(file.appendingPathExtension("none")).count == nil)
        #expect(HTTPBody.stream(count: 3, make: make).count == 3)
        #expect(HTTPBody.stream(count: nil, make: make).count == nil)
        #expect(HTTPBody.once(make(), count: 3).count == 3)
    }

    @Test func `HTTPBody.isEmpty is true only if the body is known to have zero bytes`() throws {
        let file = try temporaryFile("")
        let link = file.appendingPathExtension("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        defer {
            try? FileManager.default.removeItem(at: link)
            try? FileManager.default.removeItem(at: file)
        }
        #expect(HTTPBody.none.isEmpty)
        #expect(HTTPBody.data(Data()).isEmpty)
        #expect(HTTPBody.file(file).isEmpty)
        #expect(HTTPBody.file(link).isEmpty)
        #expect(HTTPBody.stream(count: 0) { InputStream(data: Data()) }.isEmpty)
        #expect(!HTTPBody.stream(count: nil) { InputStream(data: Data()) }.isEmpty)
        #expect(!HTTPBody.data(Data([0])).isEmpty)
        #expect(!HTTPBody.file(file.appendingPathExtension("none")).isEmpty)
    }

    @Test func `HTTPBody.isReplayable is false only for a one-shot stream`() {
        #expect(HTTPBody.none.isReplayable)
        #expect(HTTPBody.data(Data()).isReplayable)
        #expect(HTTPBody.file(URL(fileURLWithPath: "/")).isReplayable)
        #expect(HTTPBody.stream(count: nil) { InputStream(data: Data()) }.isReplayable)
        #expect(!HTTPBody.once(InputStream(data: Data()), count: 0).isReplayable)
    }

    @Test func `OneShotStream.take() returns the stream once and then nil`() {
        let stream = OneShotStream(InputStream(data: Data()), count: 0)
        #expect(stream.take() != nil)
        #expect(stream.take() == nil)
    }

    /// The temporary file of a long stream is removed with the payload.
    @Test func `BodyPayload stores a long upload stream in a private temporary file, which remove() deletes`() throws {
        let bytes = Data(repeating: 7, count: 3 << 20)
        let payload = try BodyPayload(.stream(count: nil) { InputStream(data: bytes) })
        let file = try #require(payload.file)
        #expect(payload.data == nil)
        #expect(try Data(contentsOf: file) == bytes)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        payload.remove()
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `BodyPayload.remove() does not delete a file that the caller uploads`() throws {
        let file = try temporaryFile("12345")
        defer { try? FileManager.default.removeItem(at: file) }
        let payload = try BodyPayload(.file(file))
        payload.remove()
        #expect(try Data(contentsOf: file) == Data("12345".utf8))
    }
}
