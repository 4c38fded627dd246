import Foundation

/// A way to code the content of a message (RFC 9110, section 8.4.1).
public struct ContentCoding: Sendable, Hashable {
    /// The name in `Content-Encoding`.
    public let name: String

    /// The format of gzip (RFC 1952).
    public static let gzip = ContentCoding(name: "gzip")
}

extension HTTPBody {
    /// This body in compressed form, sent with `Content-Encoding: gzip` unless the request has a header of that name.
    ///
    /// The server has to expect it, since a request cannot ask (RFC 9110, section 12.5.3). Bytes are compressed at
    /// once, and a value when it is encoded. A file, a stream, a sequence or a form with files is compressed while it
    /// is sent, with little memory, and in chunks (RFC 9112, section 7.1), since its compressed length is not known.
    /// The bytes of a slow stream may wait for more to be compressed with. What can be sent again still can.
    ///
    /// An empty body, one that is compressed already, and every body on a system without zlib stays as it is, without
    /// the header. It is meant for a whole body: a part of a form has no header for it.
    public func compressed(_ coding: ContentCoding = .gzip) -> HTTPBody {
        guard GzipEncoder.isAvailable, self.coding == nil else { return self }
        switch content {
        case .none, .failed, .compressed: return self
        case .data(let data):
            guard !data.isEmpty, let compressed = try? GzipEncoder.compress(data) else { return self }
            return HTTPBody(content: .data(compressed), contentType: contentType, coding: coding)
        case .encoded(let encode):
            let content = Content.encoded { try GzipEncoder.compress(try encode($0)) }
            return HTTPBody(content: content, contentType: contentType, coding: coding)
        case .file, .stream, .once, .joined:
            return HTTPBody(content: .compressed(self), contentType: contentType, coding: coding)
        }
    }

    /// The value of `Content-Encoding`; `nil` for a body that is not compressed, or is empty.
    package var contentEncoding: String? { isEmpty ? nil : coding?.name }
}
