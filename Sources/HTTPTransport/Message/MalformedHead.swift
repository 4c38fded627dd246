import Foundation

/// The problem with the head of a response: ``TransportError/underlying`` beside
/// ``TransportError/Reason/malformedResponse``.
enum MalformedHead: LocalizedError, Equatable {
    case status
    case noColon
    case blankBeforeColon
    case name
    case forbiddenByte
    case nothingToContinue
    case continuedFraming
    case noLength
    case differentLengths
    case lengthAndCoding
    case transferCoding
    case repeatedTransferCoding
    case differentLocations

    var errorDescription: String? {
        switch self {
        case .status: "The status is not a number of three digits"
        case .noColon: "A header line has no colon"
        case .blankBeforeColon: "The name of a header has a blank before its colon"
        case .name: "The name of a header is empty, or contains a character that no name may have"
        case .forbiddenByte: "A header line contains a NUL or a single CR"
        case .nothingToContinue: "The first header line is empty, or begins with a blank"
        case .continuedFraming: "A header about the length or coding of the body continues on a second line"
        case .noLength: "The Content-Length is not a number"
        case .differentLengths: "The Content-Length has two different values"
        case .lengthAndCoding: "There is both a Content-Length and a Transfer-Encoding"
        case .transferCoding: "The Transfer-Encoding is another one than chunked"
        case .repeatedTransferCoding: "The Transfer-Encoding names chunked twice"
        case .differentLocations: "There are two different Location headers"
        }
    }
}
