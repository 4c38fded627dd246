@testable import APIBaseSockets
import Basics
import Foundation
import Testing

struct HandshakeTests {
    private static let key = Array("the sample nonce".utf8)
    private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    private static func agreement(
        _ changes: [String: [String]] = [:],
        status: Int = 101,
        compression: Bool = true
    ) throws -> SocketAgreement {
        let valid = ["Upgrade": ["websocket"], "Connection": ["Upgrade"], "Sec-WebSocket-Accept": [accept]]
        let headers = valid.merging(changes) { $1 }
        return try SocketHandshake(subprotocols: ["chat", "v2.chat"], compression: compression, key: key)
            .agreement(status: status) { headers[$0] ?? [] }
    }

    @Test func `The request and its answer are those of RFC 6455, section 1`() throws {
        let headers = SocketHandshake(subprotocols: ["chat", "superchat"], compression: true, key: Self.key).headers
        #expect(
            headers.map { "\($0): \($1)" } == [
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: chat, superchat",
                "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
            ]
        )
        #expect(SocketHandshake(key: Self.key).headers.count == 4)
        #expect(try Self.agreement() == SocketAgreement())
    }

    @Test func `Each key is another one of 16 bytes`() {
        let keys = (0..<100).map { _ in SocketHandshake().headers[2].value }
        #expect(Set(keys).count == 100)
        #expect(keys.allSatisfy { $0.count == 24 && $0.hasSuffix("==") })
    }

    @Test func `SHA-1 gives the digests of RFC 3174 and of all lengths around a block`() {
        #expect(sha1("abc".utf8) == [UInt8](hex: "A9993E36 4706816A BA3E2571 7850C26C 9CD0D89D"))
        #expect(sha1("".utf8) == [UInt8](hex: "DA39A3EE 5E6B4B0D 3255BFEF 95601890 AFD80709"))
        // Of 55, 56, 63, 64 and 119 times an "a".
        let digests = [
            55: "c1c8bbdc22796e28c0e15163d20899b65621d65a", 56: "c2db330f6083854c99d4b5bfb6e8f29f201be699",
            63: "03f09f5b158a7a8cdad920bddc29b81c18a551f5", 64: "0098ba824b5c16427bd7a1122a5a442a25ec644d",
            119: "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56",
        ]
        for (count, digest) in digests {
            #expect(sha1([UInt8](repeating: 0x61, count: count)) == [UInt8](hex: digest), "\(count)")
        }
    }

    @Test(
        arguments: [
            (["Upgrade": ["WebSocket"], "Connection": ["keep-alive, upgrade"]], nil, nil),
            (["Connection": ["keep-alive", "Upgrade"]], nil, nil),
            (["Sec-WebSocket-Protocol": ["v2.chat"]], "v2.chat", nil),
            (["Sec-WebSocket-Extensions": ["permessage-deflate"]], nil, Self.compression()),
            (["Sec-WebSocket-Extensions": ["", ", Permessage-Deflate ,"]], nil, Self.compression()),
            (["Sec-WebSocket-Extensions": [""]], nil, nil),
            (
                [
                    "Sec-WebSocket-Extensions": [
                        "permessage-deflate; server_no_context_takeover ;client_max_window_bits=8"
                    ]
                ], nil,
                Self.compression(noServer: true, client: 8)
            ),
            (
                [
                    "Sec-WebSocket-Extensions": [
                        "permessage-deflate;client_no_context_takeover; Server_max_window_bits = \"10\""
                    ]
                ], nil, Self.compression(noClient: true, server: 10)
            ),
        ] as [([String: [String]], String?, SocketCompression?)]
    )
    func `A valid answer gives what the server chose`(
        headers: [String: [String]],
        subprotocol: String?,
        compression: SocketCompression?
    ) throws {
        let agreement = try Self.agreement(headers)
        #expect(agreement == SocketAgreement(subprotocol: subprotocol, compression: compression))
    }

    static func compression(
        noServer: Bool = false,
        noClient: Bool = false,
        server: Int = 15,
        client: Int = 15
    ) -> SocketCompression {
        var compression = SocketCompression()
        (compression.serverHasNoContext, compression.clientHasNoContext) = (noServer, noClient)
        (compression.serverWindow, compression.clientWindow) = (server, client)
        return compression
    }

    @Test(arguments: [
        [], [""], ["websockets"], ["h2c"], ["websocket, h2c"], ["websocket", "websocket"],
    ])
    func `An answer with another Upgrade is refused`(values: [String]) {
        #expect(throws: SocketHandshakeError.upgrade(values)) { try Self.agreement(["Upgrade": values]) }
    }

    @Test(arguments: [[], [""], ["close"], ["keep-alive, upgraded"], ["\"upgrade, upgrade\""]])
    func `An answer with another Connection is refused`(values: [String]) {
        #expect(throws: SocketHandshakeError.connection(values)) { try Self.agreement(["Connection": values]) }
    }

    @Test(arguments: [
        [], [""], ["s3pPLMBiTxaQ9kYGzzhZRbK+xOO="], [accept.lowercased()], ["dGhlIHNhbXBsZSBub25jZQ=="],
        [accept, accept], ["\(accept), \(accept)"],
    ])
    func `An answer to another key is refused`(values: [String]) {
        #expect(throws: SocketHandshakeError.accept(values, expected: Self.accept)) {
            try Self.agreement(["Sec-WebSocket-Accept": values])
        }
    }

    @Test(arguments: [[""], ["Chat"], ["other"], ["chat, v2.chat"], ["chat", "chat"]])
    func `A subprotocol that was not offered is refused`(values: [String]) {
        #expect(throws: SocketHandshakeError.subprotocol(values, offered: ["chat", "v2.chat"])) {
            try Self.agreement(["Sec-WebSocket-Protocol": values])
        }
    }

    @Test(arguments: [
        ["x-webkit-deflate-frame"], ["permessage-deflate, permessage-deflate"],
        ["permessage-deflate", "permessage-bzip2"],
        ["permessage-deflate; client_max_window_bits"], ["permessage-deflate; client_max_window_bits=7"],
        ["permessage-deflate; client_max_window_bits=16"], ["permessage-deflate; client_max_window_bits=09"],
        ["permessage-deflate; client_max_window_bits=+9"], ["permessage-deflate; client_max_window_bits=\"9"],
        ["permessage-deflate; client_max_window_bits=9=9"],
        ["permessage-deflate; client_max_window_bits=9; client_max_window_bits=9"],
        ["permessage-deflate; server_max_window_bits"], ["permessage-deflate; server_max_window_bits="],
        ["permessage-deflate; server_no_context_takeover=true"], ["permessage-deflate; server_no_context_takeover=9"],
        ["permessage-deflate; client_no_context_takeover="], ["permessage-deflate; mux"], ["permessage-deflate;"],
        ["permessage-deflate; server_no_context_takeover; Server_no_context_takeover"],
    ])
    func `An extension that was not offered, or has wrong parameters, is refused`(values: [String]) {
        #expect(throws: SocketHandshakeError.extensions(values, offered: SocketCompression.offer)) {
            try Self.agreement(["Sec-WebSocket-Extensions": values])
        }
    }

    @Test func `Compression is refused if it was not offered, and so is any other status`() {
        let values = ["permessage-deflate"]
        #expect(throws: SocketHandshakeError.extensions(values, offered: nil)) {
            try Self.agreement(["Sec-WebSocket-Extensions": values], compression: false)
        }
        for status in [100, 200, 426] {
            #expect(throws: SocketHandshakeError.status(status)) { try Self.agreement(status: status) }
        }
    }

    @Test func `Each error says what was expected and what came`() {
        let errors: [SocketHandshakeError] = [
            .status(200), .upgrade(["h2c"]), .connection([]), .accept(["a"], expected: "b"),
            .subprotocol(["x"], offered: ["y"]), .extensions(["z"], offered: nil),
        ]
        #expect(
            errors.map(\.localizedDescription) == [
                "The server answered with status 200, not 101.",
                "The answer's Upgrade is [\"h2c\"], not \"websocket\".",
                "The answer's Connection is [], without \"Upgrade\".",
                "The answer's Sec-WebSocket-Accept is [\"a\"], not \"b\".",
                "The answer's subprotocol is [\"x\"], not one of [\"y\"].",
                "The answer's extensions are [\"z\"], not none.",
            ]
        )
    }
}
