/// The keys of an object as the models have them, where bytes do not tell them apart: if there are escapes or more than ASCII
/// in them, or if a strategy changes them.
final class KeyNames {
    /// The key tokens by name.
    let tokens: [String: UInt32]
    /// The names in their order.
    let all: [String]

    init(_ document: Document, _ object: UInt32) {
        let tape = document.tape
        let count = Int(tape[object].count)
        var tokens: [String: UInt32] = [:]
        var all: [String] = []
        tokens.reserveCapacity(count)
        all.reserveCapacity(count)
        let path: [any CodingKey] = document.settings.needsPaths ? document.path(to: object) : []
        let end = tape[object].length
        var key = object &+ 2
        while key < end {
            let text = document.string(tape[key])
            let name = document.keepsKeys ? text : document.settings.key(text, at: path)
            if tokens[name] == nil {
                tokens[name] = key
                all.append(name)
            }
            key = tape.next(after: key &+ 1)
        }
        self.tokens = tokens
        self.all = all
    }
}
