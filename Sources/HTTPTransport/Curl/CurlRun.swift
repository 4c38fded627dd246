#if os(Linux) || os(Android)
import CCurl
import Foundation
import FoundationNetworking

/// One exchange that has its turn. Belongs to the thread of the loop.
final class CurlRun {
    /// How an exchange is over.
    enum Ending {
        case complete
        case failed(EngineFailure)

        var failure: EngineFailure? {
            if case .failed(let failure) = self { return failure }
            return nil
        }
    }

    /// Chunks below this size are copied, since their buffer is worth keeping.
    private static let copiedBytes = 16 << 10

    let exchange: CurlExchange
    let host: CurlHost
    let sink: any ExchangeSink
    private(set) var transfer: CurlTransfer?
    private(set) var upload: CurlUpload
    private var isConnected = false
    private var sentBytes: Int64 = 0
    private(set) var hasHead = false
    private var length: Int64?
    private var decoder: CurlDecoder?
    private var decodedBytes = 0
    /// What libcurl has said about the end.
    var verdict: Int32?

    init(_ exchange: CurlExchange, with host: CurlHost, telling sink: any ExchangeSink) {
        self.exchange = exchange
        self.host = host
        self.sink = sink
        upload = CurlUpload(exchange.request.body) { exchange.resume() }
    }

    /// How what is sent is framed, as far as that is known.
    func framing() -> CurlFraming { upload.framing(exchange.wire.method) }

    /// Hands over the first of the body.
    func prime() -> EngineFailure? {
        transfer.flatMap { upload.advance($0.state) }
    }

    /// Takes over a handle that is to be started.
    func adopt(_ transfer: CurlTransfer) {
        self.transfer = transfer
        transfer.state.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        transfer.state.pointee.can_rewind = exchange.request.body.isReplayable
    }

    /// Gives the handle back.
    func release() -> CurlTransfer? {
        defer { transfer = nil }
        return transfer
    }

    /// Passes on everything that has happened; says how the exchange is over, once it is.
    func advance() -> Ending? {
        guard let state = transfer?.state else { return nil }
        if !isConnected, state.pointee.is_connected {
            isConnected = true
            sink.connected()
        }
        if let failure = upload.advance(state) { return .failed(failure) }
        tellSent(state)
        if !hasHead, state.pointee.has_head, let failure = takeHead(state) { return .failed(failure) }
        if hasHead, let failure = takeBody(state) { return .failed(failure) }
        if let verdict { return end(verdict, state) }
        if hasHead, upload.isUnfinished(state), let length, state.pointee.body_total == length,
            state.pointee.body.count == 0
        {
            return .complete  // the server has said everything, and need not read the rest
        }
        ccurl_transfer_continue(state)
        return nil
    }

    private func tellSent(_ state: UnsafeMutablePointer<ccurl_transfer>) {
        let bytes = state.pointee.feed_total
        guard bytes != sentBytes else { return }
        sentBytes = bytes
        sink.sent(bytes, expected: upload.length)
    }

    private func end(_ verdict: Int32, _ state: UnsafeMutablePointer<ccurl_transfer>) -> Ending? {
        guard state.pointee.body.count == 0 else { return nil }  // the reader is slower than the sender
        if verdict != 0 || state.pointee.fault != CCURL_FAULT_NONE {
            let failure = EngineFailure(verdict, state, hasHead: hasHead)
            return .failed(exchange.configuration.blame(for: verdict, failure))
        }
        guard hasHead else {
            let error = CurlError(code: 0, message: "The connection was closed inside the head")
            return .failed(EngineFailure(reason: .connectionLost, underlying: error))
        }
        if let length, state.pointee.body_total != length {
            let text = "\(state.pointee.body_total) of \(length) bytes of the body came"
            return .failed(EngineFailure(reason: .connectionLost, underlying: CurlError(code: 0, message: text)))
        }
        if let decoder, !decoder.isWhole { return .failed(EngineFailure(malformed: "The coded body was cut")) }
        return .complete
    }
}

// MARK: The response

extension CurlRun {
    private func takeHead(_ state: UnsafeMutablePointer<ccurl_transfer>) -> EngineFailure? {
        guard let url = exchange.request.urlRequest.url else { return nil }
        let block = FieldBlock(UnsafeBufferPointer(start: state.pointee.head.bytes, count: state.pointee.head.count))
        let framing: FieldBlock.Framing
        do throws(FieldBlock.Malformed) {
            framing = try block.framing()
        } catch {
            return EngineFailure(malformed: "The head is not clear")
        }
        let status = Int(state.pointee.status)
        let hasBody = exchange.wire.method != "HEAD" && status != 204 && status != 304
        if hasBody {
            length = framing.contentLength
            if let coding = framing.coding {
                guard let decoder = CurlDecoder(coding) else {
                    return EngineFailure(malformed: "The body is coded in an unknown way")
                }
                self.decoder = decoder
            }
        }
        hasHead = true
        let (major, minor) = (state.pointee.major_version, state.pointee.minor_version)
        let version = major >= 2 ? "HTTP/\(major)" : minor == 1 ? "HTTP/1.1" : "HTTP/\(major).\(minor)"
        sink.received(ResponseHead(statusCode: status, block: block, framing: framing, url: url, httpVersion: version))
        return nil
    }

    /// Hands out what has arrived, until the reader has enough.
    private func takeBody(_ state: UnsafeMutablePointer<ccurl_transfer>) -> EngineFailure? {
        while state.pointee.body.count > 0 || decodedBytes > 0 {
            guard !exchange.isPaused else {
                state.pointee.holds_sender = true
                return nil
            }
            state.pointee.holds_sender = false
            guard let decoder else {
                sink.received(takeChunk(state))
                return nil
            }
            let rest = UnsafeBufferPointer(start: state.pointee.body.bytes, count: state.pointee.body.count)
            guard let (made, used) = decoder.decode(UnsafeBufferPointer(rebasing: rest[decodedBytes...])) else {
                return EngineFailure(malformed: "The coded body is broken")
            }
            decodedBytes += used
            // Only a decoder that has left room has nothing more to say about what it was given.
            if made.count < CurlDecoder.room {
                if decodedBytes == rest.count {
                    decodedBytes = 0
                    state.pointee.body.count = 0
                } else if used == 0 {
                    return EngineFailure(malformed: "The coded body goes on behind its end")
                }
            }
            if !made.isEmpty { sink.received(made) }
        }
        state.pointee.holds_sender = false
        return nil
    }

    private func takeChunk(_ state: UnsafeMutablePointer<ccurl_transfer>) -> Data {
        let count = state.pointee.body.count
        guard count > Self.copiedBytes else {
            defer { state.pointee.body.count = 0 }
            return state.pointee.body.bytes.map { Data(bytes: $0, count: count) } ?? Data()
        }
        guard let bytes = ccurl_transfer_take_body(state) else { return Data() }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }
}
#endif
