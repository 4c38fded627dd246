internal import Foundation

/// A text and its tokens, for as long as anything reads them: a decoder or a container may outlive the call it was made for.
final class Document {
    let bytes: Bytes
    let tape: Tape
    let settings: Settings

    /// Keys that models asked for, in vain, to get a super decoder.
    private var absentKeys: [String] = []
    /// In an ordinal, that the key is one of those.
    private static let isAbsent: UInt32 = 0x8000_0000

    /// Cuts a copy of the text, in UTF-8, into tokens.
    init(_ text: Data, settings: Settings) throws(SyntaxError) {
        self.settings = settings
        bytes = Bytes(copying: text)
        do throws(SyntaxError) {
            tape = try Tokenizer.tokens(of: bytes)
        } catch {
            bytes.deallocate()
            throw error
        }
    }

    deinit {
        bytes.deallocate()
        tape.deallocate()
    }

    /// A null in the place of a member that an object does not have.
    func absent(_ key: String, in object: UInt32) -> Value {
        if absentKeys.last != key { absentKeys.append(key) }
        let ordinal = UInt32(truncatingIfNeeded: absentKeys.count - 1) | Self.isAbsent
        return Value(document: self, token: tape.count &- 1, parent: object, ordinal: ordinal)
    }

    /// The keys and indices that lead to a value. Found from the places on the tape, when somebody asks.
    func path(to value: Value) -> [any CodingKey] {
        var steps: [(parent: UInt32, ordinal: UInt32)] = []
        var (parent, ordinal) = (value.parent, value.ordinal)
        while parent != Token.none {
            steps.append((parent, ordinal))
            (parent, ordinal) = (tape[parent &+ 1].parent, tape[parent &+ 1].ordinal)
        }
        var path: [any CodingKey] = []
        path.reserveCapacity(steps.count + 1)
        for step in steps.reversed() {
            let container = tape[step.parent]
            if container.kind == .array {
                path.append(PathKey(index: Int(step.ordinal)))
            } else if step.ordinal & Self.isAbsent != 0 {
                path.append(PathKey(stringValue: absentKeys[Int(step.ordinal ^ Self.isAbsent)]))
            } else {
                let name = bytes.string(tape[step.ordinal])
                let isVerbatim = container.flags.contains(.verbatim)
                path.append(PathKey(stringValue: isVerbatim ? name : settings.key(name, at: path)))
            }
        }
        return path
    }

    /// The keys and indices that lead to an array or object.
    func path(to container: UInt32) -> [any CodingKey] {
        let place = tape[container &+ 1]
        return path(to: Value(document: self, token: container, parent: place.parent, ordinal: place.ordinal))
    }
}
