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
