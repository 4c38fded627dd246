/// The parts of the document that are not read, each with its place.
package final class Warnings {
    package private(set) var all: [Warning] = []
    private var seen: Set<Warning> = []

    package func add(_ pointer: String, _ text: String) {
        let warning = Warning(pointer: pointer, text: text)
        if seen.insert(warning).inserted { all.append(warning) }
    }
}

/// A place in the document, and what is wrong there.
package struct Warning: Hashable, Sendable, CustomStringConvertible {
    package let pointer: String
    package let text: String

    package var description: String { "\(pointer): \(text)" }
}
