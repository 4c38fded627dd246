import Basics
import Foundation

/// A path with parameters: `/pets/{petId}.json`.
package struct PathTemplate: Sendable {
    package enum Piece: Hashable, Sendable {
        case text(String)
        case parameter(String)
    }

    package let pieces: [Piece]

    package init(_ path: some StringProtocol) {
        var pieces: [Piece] = []
        var rest = path[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
            pieces.append(.parameter(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        self.pieces = pieces
    }

    /// Whether a text has one half of a pair of braces.
    package var hasBrace: Bool {
        pieces.contains { if case .text(let text) = $0 { text.contains(/[{}]/) } else { false } }
    }

    package var parameterNames: [String] {
        pieces.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }
}

/// One segment of a template, between two slashes.
struct SegmentTemplate: Sendable {
    private let pieces: [PathTemplate.Piece]
    /// The text of a segment without parameters.
    private let text: String
    /// The rank of the segment among others, the most concrete first: 0 without parameters, 2 if it is nothing but one.
    let rank: Int

    init(_ segment: Substring) {
        text = segment.removingPercentEncoding ?? String(segment)
        let template = PathTemplate(text)
        pieces = template.pieces
        rank = template.parameterNames.isEmpty ? 0 : pieces.count == 1 ? 2 : 1
    }

    /// The parameters in a segment of a path, percent-encoded as they are there; `nil` if the segment does not match.
    func parameters(in segment: Substring) -> [String: Substring]? {
        guard rank == 0 else {
            if let found = Self.parameters(in: segment, pieces) { return found }
            // Where text beside a parameter is escaped, both are compared in one spelling.
            guard segment.utf8.contains(UInt8(ascii: "%")) else { return nil }
            return Self.parameters(in: Self.escaped(String(segment))[...], pieces.map(Self.escaped))
        }
        let isEqual =
            segment == text || segment.utf8.contains(UInt8(ascii: "%")) && segment.removingPercentEncoding == text
        return isEqual ? [:] : nil
    }

    private static func escaped(_ text: String) -> String {
        (text.removingPercentEncoding ?? text).escapedUnlessUnreserved
    }

    private static func escaped(_ piece: PathTemplate.Piece) -> PathTemplate.Piece {
        if case .text(let text) = piece { .text(escaped(text)) } else { piece }
    }

    /// The share of a segment that is as the template has it, from 0 to 1; a parameter counts less than a word.
    func similarity(to segment: Substring) -> Double {
        guard rank == 0 else { return parameters(in: segment) == nil ? 0 : 0.6 }
        let length = max(text.count, segment.count)
        return length == 0 ? 0 : Double(text.commonPrefix(with: segment).count) / Double(length)
    }

    /// Each value ends where the text after it begins first; the last one before the end of the segment.
    private static func parameters(
        in segment: Substring,
        _ pieces: [PathTemplate.Piece]
    ) -> [String: Substring]? {
        var (rest, found) = (segment, [String: Substring]())
        for (index, piece) in zip(pieces.indices, pieces) {
            switch piece {
            case .text(let text):
                guard rest.hasPrefix(text) else { return nil }
                rest = rest.dropFirst(text.count)
            case .parameter(let name):
                guard let first = rest.indices.first else { return nil }
                let least = rest.index(after: first)
                var end = least
                switch index + 1 < pieces.endIndex ? pieces[index + 1] : nil {
                case nil: end = rest.endIndex
                case .parameter: break
                case .text(let text):
                    let isLast = index + 2 == pieces.endIndex
                    let place =
                        isLast
                        ? (rest.hasSuffix(text) ? rest.dropLast(text.count).endIndex : nil)
                        : rest[least...].firstRange(of: text)?.lowerBound
                    guard let place, place >= least else { return nil }
                    end = place
                }
                found[name] = rest[..<end]
                rest = rest[end...]
            }
        }
        return rest.isEmpty ? found : nil
    }
}
