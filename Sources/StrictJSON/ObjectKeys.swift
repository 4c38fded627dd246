/// The members of an object by their keys. Of a key that is there twice, the first counts.
///
/// Keys are compared as strings: two are one if Unicode has them as canonically equivalent. Where all are ASCII, which is
/// where most objects are, comparing their bytes is the same.
struct ObjectKeys {
    let document: Document
    let object: UInt32
    private let index: Index
    /// Whether no key is there twice, so that the likely one is the first one.
    private let isHinted: Bool

    private enum Index {
        /// A few keys, all ASCII and different: looked at one by one, from the one that is likely.
        case none
        /// Many keys of ASCII.
        case bytes(KeyTable)
        /// Any keys, as the models have them.
        case names(KeyNames)
    }

    /// As many keys as are sooner compared than put into a table.
    private static let few: UInt32 = 16

    init(_ document: Document, _ object: UInt32) {
        self.document = document
        self.object = object
        let token = document.tape[object]
        if token.flags.contains(.distinct) {
            index = .none
            isHinted = true
        } else if !document.keepsKeys || token.flags.contains(.uneven) {
            index = .names(KeyNames(document, object))
            isHinted = false
        } else if token.count > Self.few {
            let table = KeyTable(document, object)
            index = .bytes(table)
            isHinted = table.isDistinct
        } else if token.count < 2 || document.hasDistinctKeys(object) {
            document.tape.insert(.distinct, at: object)
            index = .none
            isHinted = true
        } else {
            index = .names(KeyNames(document, object))
            isHinted = false
        }
    }

    /// The value of a key; nil if there is none. Not `isLast` where the same key is likely to be asked for again.
    @inline(__always) func find(_ name: String, isLast: Bool = true) -> Value? {
        var name = name
        guard let key = name.withUTF8({ likely($0, isLast) }) ?? other(&name, isLast) else { return nil }
        return Value(document: document, token: key &+ 1, parent: object, ordinal: key)
    }

    /// The key that comes next in the object, if it is the wanted one.
    @inline(__always) private func likely(_ wanted: UnsafeBufferPointer<UInt8>, _ isLast: Bool) -> UInt32? {
        guard isHinted, let key = document.tape.likelyKey(of: object, wanted, in: document.bytes) else { return nil }
        if isLast { document.tape.advanceHint(of: object, after: key) }
        return key
    }

    @inline(never) private func other(_ name: inout String, _ isLast: Bool) -> UInt32? {
        let found: UInt32?
        switch index {
        case .names(let names): return names.tokens[name]
        case .bytes(let table): found = name.withUTF8 { table.find($0) }
        case .none: found = name.withUTF8 { search($0) }
        }
        guard let found else { return name.utf8.allSatisfy { $0 < 0x80 } ? nil : equivalent(name) }
        if isLast { document.tape.advanceHint(of: object, after: found) }
        return found
    }

    private func search(_ wanted: UnsafeBufferPointer<UInt8>) -> UInt32? {
        let tape = document.tape
        let end = tape[object].length
        var key = object &+ 2
        while key < end {
            let token = tape[key]
            if document.bytes.equals(wanted, Int(token.start), Int(token.length)) { return key }
            key = tape.next(after: key &+ 1)
        }
        return nil
    }

    /// The key of ASCII that is canonically equivalent to one of more than ASCII: a kelvin sign is a K.
    private func equivalent(_ name: String) -> UInt32? {
        let ascii = name.decomposedStringWithCanonicalMapping
        guard ascii.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        var text = ascii
        return text.withUTF8 { search($0) }
    }

    /// The keys in their order, each once.
    var all: [String] {
        let tape = document.tape
        if case .names(let names) = index { return names.all }
        var all: [String] = []
        all.reserveCapacity(Int(tape[object].count))
        let end = tape[object].length
        var key = object &+ 2
        while key < end {
            if isFirst(key) { all.append(document.string(tape[key])) }
            key = tape.next(after: key &+ 1)
        }
        return all
    }

    private func isFirst(_ key: UInt32) -> Bool {
        guard case .bytes(let table) = index, !table.isDistinct else { return true }
        let token = document.tape[key]
        return document.bytes.withSlice(Int(token.start), Int(token.length)) { table.find($0) } == key
    }
}

internal import Foundation
