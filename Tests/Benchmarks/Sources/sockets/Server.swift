import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// The server that all clients have, in a process of its own: it prints its port, and ends with its standard input.
///
/// It writes frames that were made before, and reads no more of frames than their heads, so that it takes less time than
/// any client: `/send` sends all messages, `/count` answers when it has got all, `/hold` sends without end, `/taken`
/// tells the bytes of `/hold` that have left the process, and `/echo` sends back what it gets.
enum Server {
    static func run() throws {
        let upgrader = NIOWebSocketServerUpgrader { channel, _ in
            channel.eventLoop.makeSucceededFuture([:])
        } upgradePipelineHandler: { channel, head in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(RawFrames(head.uri), position: .first)
            }
        }
        let channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
            .serverChannelOption(.backlog, value: 1_024)
            .childChannelInitializer { channel in
                channel.pipeline.configureHTTPServerPipeline(
                    withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in })
                )
            }
            .bind(host: "127.0.0.1", port: 0).wait()
        print(channel.localAddress?.port ?? 0)
        fflush(nil)
        while readLine() != nil {}
    }
}

/// Reads and writes bytes before any other handler gets them.
private final class RawFrames: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let message = frame(Job.text)
    private static let thousand = ByteBuffer(bytes: Array(repeatElement(message, count: 1_000).joined()))
    private static let all = ByteBuffer(bytes: Array(repeatElement(message, count: Job.messages).joined()) + close)
    private static let close: [UInt8] = [0x88, 2, 3, 0xE8]
    /// Only the one thread of the server uses it.
    nonisolated(unsafe) private static var taken = 0

    private let path: String
    private var received = ByteBuffer()
    private var messages = 0

    init(_ path: String) { self.path = path }

    private static func frame(_ text: String) -> [UInt8] { [0x81, UInt8(text.utf8.count)] + text.utf8 }

    func handlerAdded(context: ChannelHandlerContext) {
        switch path {
        case "/send": context.writeAndFlush(wrapOutboundOut(Self.all), promise: nil)
        case "/hold": pump(context)
        case "/taken": write(Self.frame("\(Self.taken)"), context)
        default: break
        }
    }

    /// Writes a thousand messages each time when those before have left the process.
    private func pump(_ context: ChannelHandlerContext) {
        let written = context.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        written.futureResult.whenSuccess {
            Self.taken += Self.thousand.readableBytes
            bound.value.0.pump(bound.value.1)
        }
        context.writeAndFlush(wrapOutboundOut(Self.thousand), promise: written)
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    /// Client frames of up to 125 bytes: two bytes, four of the mask, the payload.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var chunk = unwrapInboundIn(data)
        received.writeBuffer(&chunk)
        while let head: UInt16 = received.getInteger(at: received.readerIndex) {
            guard let frame = received.readSlice(length: 6 + Int(head & 0x7F)) else { break }
            switch head >> 8 & 0xF {
            case 1, 2: got(frame, context)
            case 8:
                write(Self.close, context)
                context.close(promise: nil)
            default: break
            }
        }
        received.discardReadBytes()
    }

    private func got(_ frame: ByteBuffer, _ context: ChannelHandlerContext) {
        messages += 1
        if path == "/count", messages == Job.messages { write(Self.message, context) }
        guard path == "/echo" else { return }
        let bytes = Array(frame.readableBytesView)
        write([bytes[0], bytes[1] & 0x7F] + bytes[6...].enumerated().map { $1 ^ bytes[2 + $0 % 4] }, context)
    }
}
