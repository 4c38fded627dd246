#if os(Linux) || os(Android)
import CCurl
import Foundation
import FoundationNetworking

/// Reads the response of one hop, a single request on the wire, from libcurl's buffers: parses the head
/// and decodes the body. Used only on the thread that runs the event loop.
struct ResponseDecoder {
    private typealias State = UnsafeMutablePointer<ccurl_transfer>

    /// Chunks up to this size are copied, so that libcurl can use the buffer again. Larger ones are handed on.
    private static let copiedBytes = 16 << 10

    private let url: URL
    private let isToHead: Bool
    private(set) var hasHead = false
    private var length: Int64?
    private var decoder: ContentDecoder?
    private var usedBytes = 0

    init(_ request: CurlRequest) {
        url = request.url
        isToHead = request.method == .head
    }

    /// Passes on what has arrived, until the hop is paused. Returns the failure of an invalid response.
    mutating func advance(
        _ state: UnsafeMutablePointer<ccurl_transfer>,
        observer: any EngineTaskObserver,
        isPaused: @autoclosure () -> Bool
    ) -> EngineFailure? {
        guard state.pointee.has_head else { return nil }
        if !hasHead {
            do throws(EngineFailure) { observer.received(try takeHead(state)) } catch {
                return error
            }
        }
        return takeBody(state, observer: observer, isPaused: isPaused)
    }

    /// Whether the whole response has arrived by its framing, and has been passed on.
    func isWhole(_ state: UnsafeMutablePointer<ccurl_transfer>) -> Bool {
        let isEnded = length == state.pointee.body_total || state.pointee.has_last_chunk
        return hasHead && isEnded && state.pointee.body.count == 0
    }

    /// The failure of a response that is incomplete although libcurl accepts it; nil if it is complete.
    func shortfall(_ state: UnsafeMutablePointer<ccurl_transfer>) -> EngineFailure? {
        guard hasHead else { return EngineFailure(lost: "The connection was closed inside the head") }
        if let length, state.pointee.body_total != length {
            return EngineFailure(lost: "\(state.pointee.body_total) of \(length) bytes of the body came")
        }
        if let decoder, !decoder.isWhole { return EngineFailure(malformed: "The coded body was cut") }
        return nil
    }

    private mutating func takeHead(_ state: State) throws(EngineFailure) -> ResponseHead {
        let status = Int(state.pointee.status)
        let head = try makeHead(
            of: UnsafeBufferPointer(start: state.pointee.head.bytes, count: state.pointee.head.count),
            statusCode: status,
            httpVersion: Self.version(state.pointee.major_version, state.pointee.minor_version)
        )
        if status == 101 {
            // The bytes of another protocol follow, until the end.
        } else if !isToHead, status != 204, status != 304 {
            length = head.framing?.contentLength
            decoder = head.framing?.coding.flatMap { ContentDecoder($0) }
        } else {
            length = 0
        }
        hasHead = true
        return head
    }

    private func makeHead(
        of bytes: UnsafeBufferPointer<UInt8>,
        statusCode: Int,
        httpVersion: String
    ) throws(EngineFailure) -> ResponseHead {
        let block = FieldBlock(bytes)
        let framing: FieldBlock.Framing
        do throws(MalformedHead) { framing = try block.framing() } catch {
            throw EngineFailure(reason: .malformedResponse, underlying: error)
        }
        return ResponseHead(
            statusCode: statusCode,
            block: block,
            framing: framing,
            url: url,
            httpVersion: httpVersion
        )
    }

    private static func version(_ major: Int32, _ minor: Int32) -> String {
        major >= 2 ? "HTTP/\(major)" : minor == 1 ? "HTTP/1.1" : "HTTP/\(major).\(minor)"
    }

    private mutating func takeBody(
        _ state: State,
        observer: any EngineTaskObserver,
        isPaused: () -> Bool
    ) -> EngineFailure? {
        while state.pointee.body.count > 0 || usedBytes > 0 {
            guard !isPaused() else {
                state.pointee.holds_sender = true
                return nil
            }
            state.pointee.holds_sender = false
            guard let decoder else {
                observer.received(Self.takeChunk(state))
                return nil
            }
            let (made, failure) = decode(state, with: decoder)
            if !made.isEmpty { observer.received(made) }
            if let failure { return failure }
        }
        state.pointee.holds_sender = false
        return nil
    }

    /// Decodes a part. A failure comes after the bytes that were made before it.
    private mutating func decode(_ state: State, with decoder: ContentDecoder) -> (made: Data, failure: EngineFailure?)
    {
        let bytes = UnsafeBufferPointer(start: state.pointee.body.bytes, count: state.pointee.body.count)
        let (made, used, isBroken) = decoder.decode(UnsafeBufferPointer(rebasing: bytes[usedBytes...]))
        if isBroken { return (made, EngineFailure(malformed: "The coded body is broken")) }
        usedBytes += used
        // A decoder that has filled the room may have more output for the same input.
        guard made.count < ContentDecoder.room else { return (made, nil) }
        if usedBytes == bytes.count {
            usedBytes = 0
            state.pointee.body.count = 0
        } else if used == 0 {
            return (made, EngineFailure(malformed: "The coded body has bytes after its end"))
        }
        return (made, nil)
    }

    private static func takeChunk(_ state: State) -> Data {
        let count = state.pointee.body.count
        guard count > copiedBytes else {
            defer { state.pointee.body.count = 0 }
            return state.pointee.body.bytes.map { Data(bytes: $0, count: count) } ?? Data()
        }
        guard let bytes = ccurl_transfer_take_body(state) else { return Data() }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }
}
#endif
