internal import Foundation

/// The members of an object by their keys. Of a key that is there twice, the first counts.
///
/// Keys are compared as strings: two are one if Unicode has them as canonically equivalent. Where all are ASCII, which is
/// where most objects are, comparing their bytes is the same.
struct ObjectKeys {
    let document: Document
    let object: UInt32
    private let index: Index

    private enum Index {
        /// A few keys, all ASCII and different: looked at one by one, from the one that is likely.
        case none
        /// Many keys, all ASCII and different. Indirect, so that copies of a container are small.
        indirect case bytes(KeyTable)
        /// The tokens of any keys, by their names in the models.
        case names([String: UInt32])
    }

    init(_ document: Document, _ object: UInt32) {
        self.document = document
        self.object = object
        let token = document.tape[object]
        let isASCII = document.settings.keepsKeys && !token.flags.contains(.uneven)
        // Few keys are sooner compared than put into a table.
        let isLarge = token.count > 16
        if isASCII, !isLarge, document.hasDistinctKeys(object) {
            index = .none
        } else if isASCII, isLarge, let table = KeyTable(document, object) {
            index = .bytes(table)
        } else {
            index = .names(document.names(object))
        }
    }

    /// Whether all keys are different by their bytes, so that the likely one is the wanted one if its bytes are.
    private var isHinted: Bool {
        if case .names = index { false } else { true }
    }

    /// The value of a key; nil if there is none. Not `isLast` where the same key is likely to be asked for again.
    @inline(__always) func find(_ name: String, isLast: Bool = true) -> Value? {
        var name = name
        guard let key = name.withUTF8({ likely($0) }) ?? other(&name) else { return nil }
        if isLast, isHinted { document.tape[object &+ 1].hint = document.tape.next(after: key &+ 1) }
        return Value(document: document, token: key &+ 1, parent: object, ordinal: key)
    }

    /// The key that comes next in the object, if it is the wanted one.
    @inline(__always) private func likely(_ wanted: UnsafeBufferPointer<UInt8>) -> UInt32? {
        let tape = document.tape
        let key = tape[object &+ 1].hint
        guard isHinted, key < tape[object].length, document.bytes.equals(wanted, tape[key]) else { return nil }
        return key
    }

    @inline(never) private func other(_ name: inout String) -> UInt32? {
        let found =
            switch index {
            case .names(let names): names[name]
            case .bytes(let table): name.withUTF8 { table.find($0) }
            case .none: name.withUTF8 { document.search(object, for: $0) }
            }
        guard found == nil, !name.isASCII else { return found }
        // A key of ASCII may be canonically equivalent to one of more than ASCII: a kelvin sign is a K.
        var mapped = name.decomposedStringWithCanonicalMapping
        return mapped.isASCII ? other(&mapped) : nil
    }

    /// The keys in their order, each once.
    var all: [String] {
        if case .names(let names) = index { return names.sorted { $0.value < $1.value }.map(\.key) }
        var all: [String] = []
        all.reserveCapacity(Int(document.tape[object].count))
        var keys = document.tape.keys(of: object)
        while let key = keys.next() { all.append(document.bytes.string(document.tape[key])) }
        return all
    }
}

extension Document {
    /// The first key of an object with these bytes, looked at one by one.
    @inline(__always) fileprivate func search(_ object: UInt32, for wanted: UnsafeBufferPointer<UInt8>) -> UInt32? {
        var keys = tape.keys(of: object)
        while let key = keys.next() {
            if bytes.equals(wanted, tape[key]) { return key }
        }
        return nil
    }

    /// Whether no key of an object of few, all of ASCII, is there twice.
    fileprivate func hasDistinctKeys(_ object: UInt32) -> Bool {
        // A bit for each sort of keys, by their length and first and last bytes: only those of one sort are compared.
        var seen: UInt64 = 0
        var keys = tape.keys(of: object)
        while let key = keys.next() {
            let token = tape[key]
            let last = bytes[Int(token.start &+ token.length) &- 1]
            let sort = bytes[Int(token.start)] &+ last &* 11 &+ UInt8(truncatingIfNeeded: token.length) &* 29
            let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: sort)
            if seen & bit != 0, bytes.withText(of: token, { search(object, for: $0) }) != key { return false }
            seen |= bit
        }
        return true
    }

    /// The keys of an object as the models have them, where bytes do not tell them apart: if there are escapes or more than
    /// ASCII in them, or if a strategy changes them.
    fileprivate func names(_ object: UInt32) -> [String: UInt32] {
        var names: [String: UInt32] = [:]
        names.reserveCapacity(Int(tape[object].count))
        lazy var path = path(to: object)
        var keys = tape.keys(of: object)
        while let key = keys.next() {
            let name = settings.key(bytes.string(tape[key]), at: path)
            if names[name] == nil { names[name] = key }
        }
        return names
    }
}

extension String {
    fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
