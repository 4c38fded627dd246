@testable import APIBaseSockets
import Foundation
import HTTPTransport
import Testing

struct FrameDecoderTests {
    @Test func `The examples of RFC 6455, section 5, are read`() {
        let hello = SocketEvent.message(.text("Hello"))
        let rows: [(String, [SocketEvent])] = [
            ("81 05 48 65 6C 6C 6F", [hello]), ("01 03 48 65 6C 80 02 6C 6F", [hello]),
            ("89 05 48 65 6C 6C 6F", [.ping(Data("Hello".utf8))]),
            ("82 7E 01 00" + String(repeating: "07", count: 256), [.message(.data(Data(repeating: 7, count: 256)))]),
            (
                "82 7F 00 00 00 00 00 01 00 00" + String(repeating: "07", count: 65536),
                [.message(.data(Data(repeating: 7, count: 65536)))]
            ),
        ]
        for (hex, events) in rows { #expect(Reading([[UInt8](hex: hex)]) == Reading(events: events)) }
    }

    @Test func `A message of as many bytes as allowed arrives, and one more byte is refused`() {
        let limits = (frame: 600, message: 1000)
        for (count, isAllowed) in [(1000, true), (1001, false)] {
            let bytes = [UInt8](repeating: 0x61, count: count)
            let reading = Reading(ServerFrames.fragments(2, bytes, of: 600), limits: limits)
            #expect(reading.events == (isAllowed ? [.message(.data(Data(bytes)))] : []))
            #expect(reading.violation?.closeCode == (isAllowed ? nil : .messageTooBig))
        }
    }

    @Test func `A message goes on after any number of empty fragments`() throws {
        var decoder = FrameDecoder(limits: (100, 100))
        decoder.append(ServerFrames.text("a", last: false))
        let empty = [UInt8]((0..<1000).flatMap { _ in ServerFrames.frame(0, last: false) })
        for _ in 0..<100 {
            decoder.append(empty)
            #expect(try decoder.next() == nil)
        }
        decoder.append(ServerFrames.frame(0))
        #expect(try decoder.next() == .message(.text("a")))
    }

    /// Every cut of a sequence of frames, also in three parts, gives the same events.
    @Test(
        arguments: [
            (
                "frames", nil,
                [ServerFrames.text("Hé€😀"), ServerFrames.frame(9, [1, 2]), ServerFrames.frame(2, [0, 255])]
            ),
            (
                "fragments", nil,
                [
                    ServerFrames.text("ab", last: false), ServerFrames.frame(9),
                    ServerFrames.frame(0, [0xC3], last: false), ServerFrames.frame(0, [0xA9]),
                ]
            ),
            (
                "close", nil,
                [ServerFrames.frame(10, [1]), ServerFrames.close(4000, Array("é".utf8)), ServerFrames.text("a")]
            ),
            ("long", nil, [ServerFrames.frame(2, [UInt8](repeating: 7, count: 126)), ServerFrames.text("a")]),
            ("violation", nil, [ServerFrames.text("a"), ServerFrames.text("b", last: false), ServerFrames.text("c")]),
            ("not UTF-8", nil, [ServerFrames.text("a"), ServerFrames.frame(1, [0x61, 0xE2, 0x82, 0x61, 0x61])]),
            (
                "compressed", SocketCompression(),
                [
                    [UInt8](hex: "41 03 F2 48 CD 89 00 80 04 C9 C9 07 00 C1 05 F2 00 11 00 00 81 01 61"),
                    ServerFrames.close(),
                ]
            ),
            (
                "not DEFLATE", SocketCompression(),
                [[UInt8](hex: "C1 07 F2 48 CD C9 C9 07 00 C1 04 07 00 00 00"), ServerFrames.close()]
            ),
        ] as [(String, SocketCompression?, [[UInt8]])]
    )
    func `Frames that are cut anywhere give the same events`(
        name: String,
        compression: SocketCompression?,
        frames: [[UInt8]]
    ) {
        let bytes = frames.flatMap { $0 }
        let whole = Reading([bytes], compression: compression)
        #expect(!whole.events.isEmpty)
        #expect(Reading(bytes.chunks(of: 1), compression: compression) == whole)
        for first in 0...bytes.count {
            for second in Set([first, (first + bytes.count) / 2, bytes.count]) {
                let chunks = [bytes[..<first], bytes[first..<second], bytes[second...]]
                #expect(Reading(chunks, compression: compression) == whole, "cut at \(first) and \(second)")
            }
        }
    }

    @Test func `A large message in many chunks is not copied with each of them`() {
        let bytes = ServerFrames.frame(2, [UInt8](repeating: 1, count: 32 << 20))
        let time = ContinuousClock()
            .measure { #expect(Reading(bytes.chunks(of: 1024), limits: (1 << 26, 1 << 26)).events.count == 1) }
        // Copies with each chunk would be of half a terabyte.
        #expect(time < .seconds(15))
    }

    @Test func `Bytes that are appended before the others are read are kept in order`() throws {
        var decoder = FrameDecoder(limits: (100, 100))
        var events: [SocketEvent] = []
        for number in 0..<200 {
            decoder.append(ServerFrames.text("\(number)"))
            if number % 3 == 0 { events += try decoder.next().map { [$0] } ?? [] }
        }
        while let event = try decoder.next() { events.append(event) }
        #expect(events == (0..<200).map { .message(.text("\($0)")) })
    }
}
