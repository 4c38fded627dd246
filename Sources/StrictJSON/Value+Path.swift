/// A decoder that can go to another place in its document.
package protocol PathInJSON {
    /// The decoder of the value at a path: the keys as they stand in the document, which no strategy changes, and the
    /// numbers of elements, from 0. If a key occurs twice, the first counts.
    ///
    /// Nothing is read beside the path.
    ///
    /// - Throws: `DecodingError` if there is no such place. It names the first key that is missing.
    func decoder(at path: some Sequence<String>) throws -> any Decoder
}

extension Value: PathInJSON {
    package func decoder(at path: some Sequence<String>) throws -> any Decoder {
        try path.reduce(self) { try $0.value(at: $1) }
    }

    private func value(at key: String) throws -> Value {
        guard content.kind == .array, let index = UInt32(key) else { return try member(key) }
        guard index < content.count else { throw notFound(PathKey(index: Int(index))) }
        var next = token &+ 2
        for _ in 0..<index { next = document.tape.next(after: next) }
        return Value(document: document, token: next, parent: token, ordinal: index)
    }

    private func member(_ name: String) throws -> Value {
        guard content.kind == .object else { throw mismatch([String: Any].self, "keyed decoding container") }
        document.tape[token].flags.insert(.verbatim)
        var keys = document.tape.keys(of: token)
        while let key = keys.next() {
            guard document.bytes.string(document.tape[key]) == name else { continue }
            return Value(document: document, token: key &+ 1, parent: token, ordinal: key)
        }
        throw notFound(PathKey(stringValue: name))
    }

    private func notFound(_ key: PathKey) -> DecodingError {
        let text = "No value associated with key \(key.stringValue)."
        return .keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: text))
    }
}
