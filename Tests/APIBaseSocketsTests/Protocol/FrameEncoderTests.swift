@testable import APIBaseSockets
import Basics
import Foundation
import HTTPTransport
import Testing

struct FrameEncoderTests {
    /// The mask of the examples in RFC 6455, section 5.7.
    private static let mask = UInt64(UInt32(bigEndian: 0x37FA_213D))

    private static func frames(_ build: (inout FrameEncoder, inout [UInt8]) -> Void) -> [UInt8] {
        var (encoder, bytes) = (FrameEncoder(random: { mask }), [UInt8]())
        build(&encoder, &bytes)
        return bytes
    }

    @Test func `Frames are those of RFC 6455, section 5`() {
        let text = Self.frames { $0.append(.text("Hello"), to: &$1) }
        #expect(text == [UInt8](hex: "81 85 37 FA 21 3D 7F 9F 4D 51 58"))
        let pong = Self.frames { $0.appendControl(.pong, Data("Hello".utf8), to: &$1) }
        #expect(pong == [UInt8](hex: "8A 85 37 FA 21 3D 7F 9F 4D 51 58"))
    }

    @Test(arguments: [0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 125, 126, 127, 65535, 65536, 70001])
    func `A payload of any length has the shortest header, and is masked as a whole`(count: Int) throws {
        let data = Data((0..<count).map { UInt8($0 % 251) })
        var (encoder, bytes) = (FrameEncoder(), [UInt8]([1, 2, 3]))
        encoder.append(.data(data), to: &bytes)
        let text = String(repeating: "é", count: count / 2)
        encoder.append(.text(text), to: &bytes)
        #expect(Array(bytes.prefix(3)) == [1, 2, 3])
        let frames = try #require(ServerFrames.read(Array(bytes.dropFirst(3))))
        #expect(
            frames.map { $0.withoutMask() } == [
                ServerFrames.Received(opcode: 2, payload: Array(data)),
                ServerFrames.Received(opcode: 1, payload: Array(text.utf8)),
            ]
        )
    }

    @Test func `Each frame has another random mask`() throws {
        var (encoder, bytes) = (FrameEncoder(), [UInt8]())
        for _ in 0..<1000 { encoder.append(.text("a"), to: &bytes) }
        let masks = try #require(ServerFrames.read(bytes)).map(\.mask)
        #expect(Set(masks).count == 1000)
        for place in 0..<4 { #expect(Set(masks.map { $0[place] }).count > 200) }
    }

    @Test func `A slice of data is sent as the bytes it has`() throws {
        let bytes = Self.frames { encoder, bytes in
            encoder.append(.data(Data([1, 2, 3, 4]).dropFirst(2)), to: &bytes)
            encoder.appendControl(.ping, Data([5, 6]).dropFirst(), to: &bytes)
        }
        #expect(try #require(ServerFrames.read(bytes)).map(\.payload) == [[3, 4], [6]])
    }

    @Test func `A close frame has the code and at most 123 bytes of the reason, in whole characters`() throws {
        let rows: [(SocketClose, [UInt8])] = [
            (SocketClose(code: .normal), [0x03, 0xE8]),
            (SocketClose(code: .goingAway, reason: "bye"), [0x03, 0xE9] + Array("bye".utf8)),
            (SocketClose(code: SocketCloseCode(rawValue: 4999)), [0x13, 0x87]),
            (SocketClose(code: .noStatus), []), (SocketClose(code: .abnormal, reason: "a"), []),
            (SocketClose(code: SocketCloseCode(rawValue: 2999)), []),
            (
                SocketClose(code: .normal, reason: String(repeating: "é", count: 62)),
                [0x03, 0xE8] + Array(String(repeating: "é", count: 61).utf8)
            ),
            (
                SocketClose(code: .normal, reason: String(repeating: "a", count: 123)),
                [0x03, 0xE8] + [UInt8](repeating: 0x61, count: 123)
            ),
        ]
        for (close, payload) in rows {
            let bytes = Self.frames { $0.appendClose(close, to: &$1) }
            let frame = try #require(ServerFrames.read(bytes)?.first)
            #expect(frame.withoutMask() == ServerFrames.Received(opcode: 8, payload: payload))
        }
    }

    @Test func `The payload of a ping is cut at 125 bytes`() throws {
        let bytes = Self.frames { $0.appendControl(.ping, Data(count: 126), to: &$1) }
        #expect(try #require(ServerFrames.read(bytes)).map(\.payload.count) == [125])
    }

    @Test func `Random messages arrive as they were sent, in both directions`() throws {
        var numbers = RandomNumbers(seed: 6455)
        for compression in [nil, SocketCompression(), HandshakeTests.compression(noClient: true, client: 9)] {
            var (encoder, bytes, inflate) = (FrameEncoder(compression: compression), [UInt8](), SimpleInflate())
            let messages = (0..<60)
                .map { _ in
                    let count = [Int.random(in: 0...200, using: &numbers), 3000].randomElement(using: &numbers) ?? 0
                    let scalars = (0..<count).map { _ in "aé€😀 {}\"0".randomElement(using: &numbers) ?? "a" }
                    return Bool.random(using: &numbers)
                        ? SocketMessage.text(String(scalars)) : .data(Data(String(scalars).utf8))
                }
            for message in messages { encoder.append(message, to: &bytes) }
            var (received, back) = ([SocketMessage](), [UInt8]())
            for frame in try #require(ServerFrames.read(bytes)) {
                if compression?.clientHasNoContext == true { inflate = SimpleInflate() }
                let inflated = frame.reserved == 0 ? frame.payload : inflate.message(frame.payload)
                let plain = try #require(inflated)
                received.append(
                    frame.opcode == 1 ? .text(String(decoding: plain, as: UTF8.self)) : .data(Data(plain))
                )
                let size = Int.random(in: 1...2000, using: &numbers)
                back +=
                    plain.isEmpty
                    ? ServerFrames.frame(frame.opcode)
                    : ServerFrames.fragments(frame.opcode, plain, of: size).flatMap { $0 }
            }
            #expect(received == messages)
            let reading = Reading(back.chunks(of: Int.random(in: 1...5000, using: &numbers)), compression: compression)
            #expect(reading == Reading(events: messages.map { .message($0) }))
        }
    }
}
