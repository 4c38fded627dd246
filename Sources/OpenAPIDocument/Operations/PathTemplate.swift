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

    init(_ segment: Substring) { pieces = PathTemplate(segment.removingPercentEncoding ?? String(segment)).pieces }

    /// How concrete the segment is: 0 without parameters, 2 if it is nothing but one.
    var rank: Int {
        if pieces.count == 1, case .parameter = pieces[0] { return 2 }
        return pieces.contains { if case .parameter = $0 { true } else { false } } ? 1 : 0
    }

    /// The parameters in a segment of a path, percent-encoded as they are there; `nil` if the segment does not match.
    func parameters(in segment: Substring) -> [String: Substring]? {
        switch pieces.first {
        case nil: return segment.isEmpty ? [:] : nil
        case .text(let text) where pieces.count == 1:
            return segment == text || segment.removingPercentEncoding == text ? [:] : nil
        case .parameter(let name) where pieces.count == 1: return segment.isEmpty ? nil : [name: segment]
        default: return Self.parameters(in: segment, pieces[...])
        }
    }

    /// How much of a segment is as the template has it, from 0 to 1; a parameter counts less than a word.
    func similarity(to segment: Substring) -> Double {
        guard case .text(let text) = pieces.first, pieces.count == 1 else {
            return parameters(in: segment) == nil ? 0 : 0.6
        }
        let length = max(text.count, segment.count)
        return length == 0 ? 0 : Double(text.commonPrefix(with: segment).count) / Double(length)
    }

    private static func parameters(in rest: Substring, _ pieces: ArraySlice<PathTemplate.Piece>) -> [String: Substring]?
    {
        switch pieces.first {
        case nil: return rest.isEmpty ? [:] : nil
        case .text(let text):
            return rest.hasPrefix(text) ? parameters(in: rest.dropFirst(text.count), pieces.dropFirst()) : nil
        case .parameter(let name):
            // The text that follows may also be a part of the value.
            for end in rest.indices.dropFirst() + [rest.endIndex] where end > rest.startIndex {
                guard var found = parameters(in: rest[end...], pieces.dropFirst()) else { continue }
                found[name] = rest[..<end]
                return found
            }
            return nil
        }
    }
}
