public import Foundation

/// An event of an exchange. Its end is the publisher's completion.
public enum ExchangeEvent: Sendable {
    /// So many bytes of the request's body have been sent in all; `expected` is nil if the length is not known.
    case sent(bytes: Int64, expected: Int64?)
    /// Status and headers have arrived. Once in each exchange that does not fail before.
    case head(ResponseHead)
    /// The next bytes of the body, after decompression. Never empty.
    case body(Data)
}

/// The progress of a request, by the transport's own byte counts.
public enum ExchangeProgress: Sendable, Hashable {
    /// So many bytes of the request's body have been sent in all; `expected` is nil if the length is not known.
    case sent(Int64, expected: Int64?)
    /// So many bytes of the response's body have arrived in all, after decompression. `expected` is `Content-Length`,
    /// nil if the response has none, or is encoded so that the two cannot be compared.
    case received(Int64, expected: Int64?)
}
