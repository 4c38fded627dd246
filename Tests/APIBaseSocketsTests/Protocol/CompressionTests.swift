@testable import APIBaseSockets
import Basics
import Foundation
import HTTPTransport
import Testing

struct CompressionTests {
    private static func text(_ text: String) -> SocketEvent { .message(.text(text)) }

    /// The examples of RFC 7692, section 7.2.3; each is a message "Hello" in frames.
    @Test(arguments: [
        ("7.2.3.1 one block", "C1 07 F2 48 CD C9 C9 07 00", 1),
        ("7.2.3.1 two frames", "41 03 F2 48 CD 80 04 C9 C9 07 00", 1),
        ("7.2.3.2 with the window of the message before", "C1 07 F2 48 CD C9 C9 07 00 C1 05 F2 00 11 00 00", 2),
        ("7.2.3.2 the same bytes again", "C1 07 F2 48 CD C9 C9 07 00 C1 07 F2 48 CD C9 C9 07 00", 2),
        ("7.2.3.3 a block without compression", "C1 0B 00 05 00 FA FF 48 65 6C 6C 6F 00", 1),
        ("7.2.3.4 a block that is the last", "C1 08 F3 48 CD C9 C9 07 00 00", 1),
        ("7.2.3.4 and a message that refers to it", "C1 08 F3 48 CD C9 C9 07 00 00 C1 05 F2 00 11 00 00", 2),
        ("7.2.3.5 two blocks", "C1 0D F2 48 05 00 00 00 FF FF CA C9 C9 07 00", 1),
        ("not compressed", "81 05 48 65 6C 6C 6F", 1),
    ])
    func `The examples of RFC 7692 are decompressed`(name: String, hex: String, count: Int) {
        let bytes = [UInt8](hex: hex)
        for size in [bytes.count, 1] {
            let reading = Reading(bytes.chunks(of: size), compression: SocketCompression())
            #expect(reading.events == [SocketEvent](repeating: Self.text("Hello"), count: count))
            #expect(reading.violation == nil)
        }
    }

    @Test func `An empty message can be compressed`() {
        #expect(Reading([[UInt8]([0xC1, 1, 0])], compression: SocketCompression()).events == [Self.text("")])
    }

    @Test(arguments: [
        ("without its end", "C1 02 F2 48"), ("an invalid kind of block", "C1 02 07 00"), ("nothing", "C1 00"),
        ("a distance beyond the beginning", "C1 05 F2 00 11 00 00"),
        ("last block without an empty one", "C1 07 F3 48 CD C9 C9 07 00"),
        ("random bytes", "C1 05 FF 01 02 03 04"), ("a text that is not UTF-8", "C1 06 00 01 00 FE FF CE"),
    ])
    func `A message that is not valid DEFLATE is refused`(name: String, hex: String) {
        let reading = Reading([[UInt8](hex: hex)], compression: SocketCompression())
        #expect(reading.events == [])
        #expect(reading.violation?.closeCode == .invalidPayload)
    }

    @Test(arguments: ["41 01 F2 C0 01 48", "41 01 F2 40 01 48", "C9 00", "C8 00", "CA 00", "A1 00", "91 00", "F1 00"])
    func `Other reserved bits are refused, and those of compression on other frames`(hex: String) {
        let reading = Reading([[UInt8](hex: hex)], compression: SocketCompression())
        #expect(reading.violation?.closeCode == .protocolError)
    }

    @Test func `A server without context cannot refer to the message before`() {
        let hex = "C1 07 F2 48 CD C9 C9 07 00 C1 05 F2 00 11 00 00"
        let compression = HandshakeTests.compression(noServer: true)
        let reading = Reading([[UInt8](hex: hex)], compression: compression)
        #expect(reading.events == [Self.text("Hello")])
        #expect(reading.violation?.closeCode == .invalidPayload)
    }

    /// Groups 12 and 13 of the Autobahn suite: messages of several sizes, for each agreement.
    @Test(arguments: [
        ("12.1 to 12.5 default", SocketCompression()), ("13.1 default", SocketCompression()),
        ("13.2 no context", HandshakeTests.compression(noServer: true, noClient: true)),
        ("13.3 window of 9", HandshakeTests.compression(server: 9, client: 9)),
        ("13.4 window of 15", HandshakeTests.compression(server: 15, client: 15)),
        ("13.5 both", HandshakeTests.compression(noServer: true, noClient: true, server: 9, client: 9)),
        ("13.6 no context, 15", HandshakeTests.compression(noServer: true, noClient: true, server: 15, client: 15)),
        ("13.7 first offer", HandshakeTests.compression(noServer: true, server: 9)),
        ("window of 8", HandshakeTests.compression(server: 8, client: 8)),
        ("two windows", HandshakeTests.compression(server: 12, client: 11)),
        ("no context of the client", HandshakeTests.compression(noClient: true, client: 10)),
    ])
    func `Messages are compressed for each agreement, and decompressed`(
        name: String,
        compression: SocketCompression
    ) throws {
        var encoder = FrameEncoder(compression: compression)
        var inflate = SimpleInflate()
        var (sent, received, frames) = ([SocketMessage](), [SocketMessage](), [UInt8]())
        for size in [16, 63, 64, 100, 256, 1000, 1024, 4096, 8192, 40_000] {
            for repetition in 0..<4 {
                let message = (0..<size).map { "{\"n\":\($0 / 7 % 50),\"r\":\(repetition)}," }.joined().utf8.prefix(
                    size
                )
                sent.append(.text(String(decoding: message, as: UTF8.self)))
                var bytes: [UInt8] = []
                encoder.append(.text(String(decoding: message, as: UTF8.self)), to: &bytes)
                let frame = try #require(ServerFrames.read(bytes)?.first)
                #expect(frame.reserved == (size < 64 ? 0 : 4))
                if compression.clientHasNoContext { inflate = SimpleInflate() }
                let plain = frame.reserved == 0 ? frame.payload : inflate.message(frame.payload)
                received.append(.text(String(decoding: try #require(plain), as: UTF8.self)))
                #expect(size < 64 || frame.payload.count < size)
                #expect(inflate.farthest <= 1 << compression.clientWindow)
                // What a client with this window may send, a server with the same one may.
                frames += ServerFrames.fragments(1, frame.payload, of: 500, reserved: frame.reserved).joined()
            }
        }
        #expect(received == sent)
        var mirrored = compression
        mirrored.serverWindow = compression.clientWindow
        mirrored.serverHasNoContext = compression.clientHasNoContext
        for size in [frames.count, 1] {
            let reading = Reading(frames.chunks(of: size), compression: mirrored)
            #expect(reading == Reading(events: sent.map { .message($0) }))
        }
    }

    @Test func `Messages that fill the buffers of the compression many times arrive`() throws {
        var numbers = RandomNumbers(seed: 7692)
        let random = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        for content in [random, [UInt8](repeating: 0, count: 1 << 20), [UInt8](repeating: 1, count: 16 << 10)] {
            var (encoder, bytes, inflate) = (FrameEncoder(compression: SocketCompression()), [UInt8](), SimpleInflate())
            encoder.append(.data(Data(content)), to: &bytes)
            let payload = try #require(ServerFrames.read(bytes)?.first?.payload)
            let inflated = inflate.message(payload)
            #expect(inflated == content)
            let reading = Reading([ServerFrames.frame(2, payload, reserved: 4)], compression: SocketCompression())
            #expect(reading == Reading(events: [.message(.data(Data(content)))]))
        }
    }

    @Test func `A message with a long run of the same byte stops at the limit of a message, also in fragments`() throws
    {
        var bytes: [UInt8] = []
        var encoder = FrameEncoder(compression: SocketCompression())
        encoder.append(.data(Data(count: 16 << 20)), to: &bytes)
        let bomb = try #require(ServerFrames.read(bytes)?.first).payload
        #expect(bomb.count < 20_000)
        for frames in [
            [ServerFrames.frame(2, bomb, reserved: 4)], ServerFrames.fragments(2, bomb, of: 10, reserved: 4),
        ] {
            let limits = (frame: 1 << 20, message: 1 << 20)
            let reading = Reading(frames, limits: limits, compression: SocketCompression())
            #expect(reading.events == [])
            #expect(reading.violation?.closeCode == .messageTooBig)
        }
    }

    @Test func `A window of the server that was agreed on is enforced`() {
        // 300 random bytes, and the same again.
        var numbers = RandomNumbers(seed: 7)
        let random = (0..<300).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        var encoder = FrameEncoder(compression: SocketCompression())
        var bytes: [UInt8] = []
        for _ in 0..<2 { encoder.append(.data(Data(random)), to: &bytes) }
        let frames = ServerFrames.read(bytes)?.flatMap { ServerFrames.frame(2, $0.payload, reserved: 4) } ?? []
        let wide = Reading([frames], compression: HandshakeTests.compression(server: 9))
        #expect(wide.events == [SocketEvent](repeating: .message(.data(Data(random))), count: 2))
        let narrow = Reading([frames], compression: HandshakeTests.compression(server: 8))
        #expect(narrow.events == [.message(.data(Data(random)))])
        #expect(narrow.violation?.closeCode == .invalidPayload)
    }
}
