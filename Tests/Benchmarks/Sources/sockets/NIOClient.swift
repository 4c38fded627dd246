import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Clients on SwiftNIO, without a library between.
enum NIOClient {
    typealias Frames = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

    private static func connect<Socket: Sendable>(
        _ path: String,
        port: Int,
        _ upgraded: @escaping @Sendable (any Channel) throws -> Socket
    ) async throws -> Socket {
        let upgrader = NIOTypedWebSocketClientUpgrader(maxFrameSize: 1 << 24) { channel, _ in
            channel.eventLoop.makeCompletedFuture { try upgraded(channel) }
        }
        let headers: HTTPHeaders = ["Host": "127.0.0.1:\(port)", "Content-Length": "0"]
        let configuration = NIOTypedHTTPClientUpgradeConfiguration(
            upgradeRequestHead: HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers),
            upgraders: [upgrader]
        ) { $0.eventLoop.makeFailedFuture(ChannelError.inappropriateOperationForState) }
        return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    var pipeline = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: configuration)
                    // By default it drops messages that come together with the response.
                    pipeline.leftOverBytesStrategy = .forwardBytes
                    return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
                        configuration: pipeline
                    )
                }
            }.get()
    }

    private static func frame(_ text: String) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(string: text))
    }

    /// As Hummingbird's client: tasks that read and write a `NIOAsyncChannel`.
    static func receive(port: Int) async throws {
        try await connect("/send", port: port) { try Frames(wrappingChannelSynchronously: $0) }
            .executeThenClose { inbound, _ in
                var count = 0
                for try await frame in inbound where frame.opcode == .text {
                    if String(buffer: frame.unmaskedData).isEmpty { break }
                    count += 1
                    if count == Job.messages { break }
                }
                precondition(count == Job.messages, "\(count) messages have come.")
            }
    }

    /// As Hummingbird's client.
    static func send(port: Int) async throws {
        try await connect("/count", port: port) { try Frames(wrappingChannelSynchronously: $0) }
            .executeThenClose { inbound, outbound in
                for _ in 0..<Job.messages { try await outbound.write(frame(Job.text)) }
                for try await _ in inbound { break }
            }
    }

    /// As WebSocketKit's client: a handler that calls a closure on the event loop.
    static func receiveByHandler(port: Int) async throws {
        try await handler("/send", Job.messages, port: port) { _ in }
    }

    /// As WebSocketKit's client: no write waits for another, whether the server reads or not.
    static func sendByHandler(port: Int) async throws {
        try await handler("/count", 1, port: port) { channel in
            for _ in 0..<Job.messages { channel.writeAndFlush(frame(Job.text), promise: nil) }
        }
    }

    private static func handler(_ path: String, _ count: Int, port: Int, _ work: (any Channel) -> Void) async throws {
        let (channel, done) = try await connect(path, port: port) { channel in
            let done = channel.eventLoop.makePromise(of: Void.self)
            try channel.pipeline.syncOperations.addHandler(Texts(count, done))
            return (channel, done.futureResult)
        }
        work(channel)
        try await done.get()
        try await channel.close()
    }
}

private final class Texts: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    private var left: Int
    private let done: EventLoopPromise<Void>

    init(_ count: Int, _ done: EventLoopPromise<Void>) { (left, self.done) = (count, done) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard frame.opcode == .text, !String(buffer: frame.unmaskedData).isEmpty else { return }
        left -= 1
        if left == 0 { done.succeed() }
    }
}
