/// The operations of a GraphQL document (GraphQL, section 2), found without parsing the rest.
struct GraphQLDocument {
    enum Kind: String { case query, mutation, subscription }

    struct Operation: Equatable {
        let kind: Kind
        /// The name; `nil` for an operation without one.
        let name: String?
    }

    /// The operations in their order. A document without any is not valid, and the server says so.
    static func operations(in text: String) -> [Operation] {
        var tokens = GraphQLTokens(text)
        var operations: [Operation] = []
        // The number of open brackets, and whether a definition has begun, but not its `{`.
        var (depth, isInHead) = (0, false)
        var next = tokens.next()
        while let token = next {
            next = tokens.next()
            switch token {
            case .open(let isBrace):
                if depth == 0, isBrace {
                    if !isInHead { operations.append(Operation(kind: .query, name: nil)) }
                    isInHead = false
                }
                depth += 1
            case .close: depth = max(0, depth - 1)
            case .name(let word) where depth == 0 && !isInHead:
                isInHead = true
                guard let kind = Kind(rawValue: word) else { break }
                if case .name(let name) = next {
                    operations.append(Operation(kind: kind, name: name))
                } else {
                    operations.append(Operation(kind: kind, name: nil))
                }
            case .name, .other: break
            }
        }
        return operations
    }
}

/// The tokens of a GraphQL document (GraphQL, section 2.1), without comments.
private struct GraphQLTokens: IteratorProtocol {
    enum Token {
        case name(String)
        case open(isBrace: Bool)
        case close
        /// Any other punctuator, or a string.
        case other
    }

    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func next() -> Token? {
        while index < bytes.count {
            let start = index
            index += 1
            switch bytes[start] {
            case UInt8(ascii: "#"): skip { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            case UInt8(ascii: "\""):
                skipString()
                return .other
            case UInt8(ascii: "{"): return .open(isBrace: true)
            case UInt8(ascii: "("), UInt8(ascii: "["): return .open(isBrace: false)
            case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"): return .close
            case let byte where byte.isInGraphQLName:
                skip(while: \.isInGraphQLName)
                return .name(String(decoding: bytes[start..<index], as: UTF8.self))
            case let byte where byte > UInt8(ascii: " ") && byte < 0x7F && byte != UInt8(ascii: ","): return .other
            default: break
            }
        }
        return nil
    }

    private mutating func skip(while isSkipped: (UInt8) -> Bool) {
        while index < bytes.count, isSkipped(bytes[index]) { index += 1 }
    }

    /// Skips the rest of a string, or of a block string between three quotes.
    private mutating func skipString() {
        let quotes = [UInt8](repeating: UInt8(ascii: "\""), count: 3)
        let end = bytes[index...].starts(with: quotes.dropLast()) ? quotes : [quotes[0]]
        index += end.count - 1
        while index < bytes.count, !bytes[index...].starts(with: end) {
            if bytes[index] == UInt8(ascii: "\\") {
                // In a block string, only three quotes can be escaped.
                index += end.count == 1 || bytes[(index + 1)...].starts(with: quotes) ? end.count : 0
            } else if end.count == 1, bytes[index] == UInt8(ascii: "\n") {
                return
            }
            index += 1
        }
        index += end.count
    }
}

extension UInt8 {
    /// Whether the byte may be in a name. A number is taken for a name too, which does not matter here.
    fileprivate var isInGraphQLName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
