internal import Foundation

/// A text and its tokens, for as long as anything reads them: a decoder or a container may outlive the call it was made for.
final class Document {
    let bytes: Bytes
    let tape: Tape
    let settings: Settings
    /// Whether keys stand in the document as the models have them.
    let keepsKeys: Bool

    /// Keys that models asked for, in vain, to get a super decoder.
    private var absentKeys: [String] = []
    private var absentPlaces: [String: Int] = [:]
    /// In an ordinal, that the key is one of those.
    private static let isAbsent: UInt32 = 0x8000_0000

    /// Cuts a copy of the text into tokens.
    init(_ text: UnsafeRawBufferPointer, settings: Settings) throws(SyntaxError) {
        self.settings = settings
        keepsKeys = settings.keepsKeys
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

    /// The outermost value.
    var root: Value { Value(document: self, token: 0, parent: Place.none, ordinal: 0) }

    /// A null in the place of a member that an object does not have.
    func absent(_ key: String, in object: UInt32) -> Value {
        let index = absentPlaces[key, default: absentKeys.count]
        if index == absentKeys.count {
            absentKeys.append(key)
            absentPlaces[key] = index
        }
        let ordinal = UInt32(truncatingIfNeeded: index) | Self.isAbsent
        return Value(document: self, token: UInt32(tape.count - 1), parent: object, ordinal: ordinal)
    }

    /// The string of a token.
    @inline(__always) func string(_ token: Token) -> String {
        guard !token.flags.contains(.escaped) else { return unescaped(token) }
        return bytes.string(Int(token.start), Int(token.length))
    }

    /// The keys and indices that lead to a value. Found from the places on the tape, when somebody asks.
    ///
    /// - Parameters:
    ///   - parent: The array or object around the value.
    ///   - ordinal: Its index there, or the token of its key.
    /// - Returns: Nothing for the outermost value.
    func path(parent: UInt32, ordinal: UInt32) -> [any CodingKey] {
        var steps: [(parent: UInt32, ordinal: UInt32)] = []
        var (parent, ordinal) = (parent, ordinal)
        while parent != Place.none {
            steps.append((parent, ordinal))
            let place = tape.place(of: parent)
            (parent, ordinal) = (place.parent, place.ordinal)
        }
        var path: [any CodingKey] = []
        path.reserveCapacity(steps.count + 1)
        for step in steps.reversed() {
            let container = tape[step.parent]
            guard container.kind == .object else {
                path.append(PathKey(index: Int(step.ordinal)))
                continue
            }
            if step.ordinal & Self.isAbsent != 0 {
                path.append(PathKey(name: absentKeys[Int(step.ordinal ^ Self.isAbsent)]))
                continue
            }
            let name = string(tape[step.ordinal])
            let isVerbatim = keepsKeys || container.flags.contains(.verbatim)
            path.append(PathKey(name: isVerbatim ? name : settings.key(name, at: path)))
        }
        return path
    }

    /// The keys and indices that lead to an array or object.
    func path(to container: UInt32) -> [any CodingKey] {
        let place = tape.place(of: container)
        return path(parent: place.parent, ordinal: place.ordinal)
    }
}
