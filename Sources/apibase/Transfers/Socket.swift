import APIBaseKit
import APIBaseSockets
import Basics

/// `apibase socket URL`: sends the lines of the standard input to a WebSocket, and prints what it sends.
struct SocketJob: Job {
    let request: HTTPJob
    var subprotocols: [String] = []
    var count: Int?
    var isJSON = false

    func run(_ context: Context) async throws -> Int32 {
        let (report, hasEnded) = (CallReport(request.extras, on: context.output.err), Monitor(false))
        let call = SocketCall(subprotocols) { event in
            report.take(event)
            switch event {
            case .ended, .failed: hasEnded.change { $0 = true }
            default: break
            }
        }
        try request.prepare(call, in: context, isStream: true)
        let code = try await context.recorded {
            let socket = try await call.connect()
            let isInterrupted = Locked(false)
            // What has been recorded is written at the end.
            if context.recording != nil { handleSignals(closing: socket, isInterrupted) }
            async let _: Void = send(context.input, to: socket)
            defer { socket.close() }
            var rest = count ?? .max
            do {
                for try await message in socket.messages {
                    try show(message, on: context.output)
                    rest -= 1
                    if rest == 0 { break }
                }
            } catch SocketFailure.unanswered where isInterrupted.withLock({ $0 }) {}
            return isInterrupted.withLock { $0 } ? ExitCode.interrupted : ExitCode.success
        }
        // The report comes when the server has ended the connection, or has had seconds to do so.
        if !request.extras.isEmpty { try await hasEnded.wait { $0 ? () : nil } }
        return code
    }

    /// The first signal closes the socket. A second one does not wait for the server.
    private func handleSignals(closing socket: APISocket<SocketMessage, SocketMessage>, _ isInterrupted: Locked<Bool>) {
        SignalHandler.handle {
            let wasInterrupted = isInterrupted.withLock { state in
                defer { state = true }
                return state
            }
            if wasInterrupted { _exit(ExitCode.interrupted) }
            socket.close()
        }
    }

    /// The end of the input closes the socket, unless a number of messages is awaited.
    private func send(_ input: Input?, to socket: APISocket<SocketMessage, SocketMessage>) async throws {
        if let input {
            for await line in input.lines {
                do { try await socket.send(.text(line)) } catch SocketFailure.notOpen { return }
            }
        }
        if count == nil { socket.close() }
    }

    private func show(_ message: SocketMessage, on output: Output) throws {
        switch message {
        case _ where isJSON:
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            output.line(String(decoding: try encoder.encode(ShownMessage(message)), as: UTF8.self))
        case .text(let text): output.line(output.out.terminal == nil ? text : text.forTerminal)
        case .data(let data): output.line(data.base64EncodedString())
        }
    }
}

/// A message as JSON: `{"text": "…"}`, or `{"data": "…"}` with Base64.
private struct ShownMessage: Encodable {
    var text: String?
    var data: Data?

    init(_ message: SocketMessage) {
        switch message {
        case .text(let text): self.text = text
        case .data(let data): self.data = data
        }
    }
}

/// A socket at a URL of the command line.
private final class SocketCall: JSONAPI, SocketRequest {
    typealias Incoming = SocketMessage
    typealias Outgoing = SocketMessage
    let subprotocols: [String]
    private let onEvent: @Sendable (CallEvent) -> Void

    init(_ subprotocols: [String], _ onEvent: @escaping @Sendable (CallEvent) -> Void) {
        (self.subprotocols, self.onEvent) = (subprotocols, onEvent)
        super.init()
    }

    override func report(_ event: CallEvent) { onEvent(event) }
}

extension Command {
    static let socket = Command(
        name: "socket",
        operands: "URL [ITEM …]",
        summary: "talk with a WebSocket: lines in, lines out",
        details: """
            Sends each line of the standard input as a message of text, and prints each message of the server as a line;
            bytes in Base64. At the end of the input the socket is closed, unless --count says how many messages to wait
            for. The scheme may be ws, wss, http or https. Items are headers (Name:value) and query items (name==value).
            """,
        options: [.messages, .subprotocol, .asJSON, .bearer, .basic, .verbose, .record, .replay, .inspect]
            + Connection.options
    ) { arguments in
        SocketJob(
            request: try HTTPJob(.get, &arguments, command: "socket"),
            subprotocols: arguments.values(.subprotocol),
            count: try arguments.number(.messages, in: 1...Int.max),
            isJSON: arguments.has(.asJSON)
        )
    }
}

extension Option {
    fileprivate static let asJSON = Option("--json", "print each message as a JSON object with text or data")
    fileprivate static let messages = Option("--count", value: "N", "stop after N messages")
    fileprivate static let subprotocol = Option("--protocol", value: "NAME", "offer a subprotocol; may be repeated")
}
