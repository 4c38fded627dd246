@testable import APIBaseSockets
import Basics
import Foundation
import HTTPTransport
import Testing

struct HostileFrameTests {
    /// What a server may not send: the bytes, the code with which the client closes, and what it says.
    @Test(arguments: [
        ("83 00", 1002, "an opcode in use", "3"), ("8F 00", 1002, "an opcode in use", "15"),
        ("A1 00", 1002, "no reserved bits with opcode 1", "2"), ("C1 00", 1002, "no reserved bits with opcode 1", "4"),
        ("F9 00", 1002, "no reserved bits with opcode 9", "7"),
        ("81 80 00 00 00 00", 1002, "a frame without a mask", "one with a mask"),
        ("88 80", 1002, "a frame without a mask", "one with a mask"),
        ("09 00", 1002, "a control frame that is whole", "a fragment"),
        ("08 00", 1002, "a control frame that is whole", "a fragment"),
        ("89 7E", 1002, "a control frame of at most 125 bytes", "more"),
        ("8A 7F", 1002, "a control frame of at most 125 bytes", "more"),
        ("82 7E 00 7D", 1002, "a length in 126...65535 in 2 bytes", "125"),
        ("82 7E 00 00", 1002, "a length in 126...65535 in 2 bytes", "0"),
        ("82 7F 00 00 00 00 00 00 FF FF", 1002, "a length in 65536...9223372036854775807 in 8 bytes", "65535"),
        (
            "82 7F 80 00 00 00 00 00 00 00", 1002, "a length in 65536...9223372036854775807 in 8 bytes",
            "9223372036854775808"
        ),
        (
            "82 7F FF FF FF FF FF FF FF FF", 1002, "a length in 65536...9223372036854775807 in 8 bytes",
            "18446744073709551615"
        ),
        ("82 7F 7F FF FF FF FF FF FF FF", 1009, "a frame of at most 1000 bytes", "9223372036854775807"),
        ("82 7E 03 E9", 1009, "a frame of at most 1000 bytes", "1001"),
        ("80 00", 1002, "a first frame", "continuation"), ("00 00", 1002, "a first frame", "continuation"),
        ("01 00 81 00", 1002, "a continuation", "text"), ("02 00 02 00", 1002, "a continuation", "binary"),
        ("88 01 03", 1002, "a close code of 2 bytes", "1 byte"),
        ("88 02 03 ED", 1002, "a close code that can be sent", "1005"),
        ("88 03 03 E8 FF", 1007, "a reason in UTF-8", "bytes ff"), ("81 01 FF", 1007, "a text in UTF-8", "other bytes"),
        ("81 01 CE", 1007, "a whole message", "a part of one"),
    ])
    func `A frame that is not allowed is refused once`(hex: String, code: Int, expected: String, received: String) {
        for size in [100, 1] {
            var bytes = [UInt8](hex: hex)
            // What follows is not read.
            bytes += ServerFrames.text("after")
            let reading = Reading(bytes.chunks(of: size), limits: (1000, 5000))
            let code = SocketCloseCode(rawValue: UInt16(code))
            #expect(reading.events == [])
            #expect(reading.violation == SocketViolation(closeCode: code, expected: expected, received: received))
        }
    }

    @Test func `A violation is a sentence with what was expected and what came`() {
        let reading = Reading([[UInt8](hex: "83 00")])
        #expect(
            reading.violation?.localizedDescription == "The WebSocket expected an opcode in use, and received 3."
        )
    }

    @Test func `A length that is announced takes no memory before its bytes arrive`() throws {
        var decoder = FrameDecoder(limits: (.max, .max))
        decoder.append([UInt8](hex: "82 7F 7F FF FF FF FF FF FF FF 01 02"))
        #expect(try decoder.next() == nil)
    }

    @Test func `A wrong byte of a text is refused before the rest of its frame arrives`() throws {
        for hex in ["81 7E FF FF 61 FF", "81 7E FF FF F4 90", "01 01 F4 80 7E 00 90 90", "81 05 ED A0", "81 05 C0"] {
            var decoder = FrameDecoder(limits: (.max, .max))
            decoder.append([UInt8](hex: hex))
            #expect(
                throws: SocketViolation(
                    closeCode: .invalidPayload,
                    expected: "a text in UTF-8",
                    received: "other bytes"
                )
            ) {
                try decoder.next()
            }
            #expect(try decoder.next() == nil)
        }
    }

    @Test func `After a close frame or a violation, nothing is read or kept`() throws {
        for end in [ServerFrames.close(1000), [0x83, 0]] {
            var decoder = FrameDecoder(limits: (100, 100))
            decoder.append(end + ServerFrames.text("a"))
            _ = try? decoder.next()
            decoder.append(ServerFrames.text("b"))
            #expect(try decoder.next() == nil)
        }
    }

    @Test func `Random bytes never trap, and end in a violation or wait for more`() {
        var numbers = RandomNumbers(seed: 1)
        for round in 0..<3000 {
            let count = Int.random(in: 0...60, using: &numbers)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            // Most headers would be refused at once.
            if count > 1 { (bytes[0], bytes[1]) = (bytes[0] & 0xCB, bytes[1] & 0x1F) }
            let compression = round % 2 == 0 ? nil : SocketCompression()
            let whole = Reading([bytes], limits: (1000, 1000), compression: compression)
            let single = Reading(bytes.chunks(of: 1), limits: (1000, 1000), compression: compression)
            #expect(whole == single, "\(bytes)")
        }
    }
}
