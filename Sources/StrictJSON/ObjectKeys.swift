internal import Foundation

/// The members of an object by their keys. If a key occurs twice, the first one counts.
///
/// Keys are compared as strings, by canonical equivalence. If all are ASCII, as in most objects, their bytes are
/// compared.
struct ObjectKeys {
    let document: Document
    let object: UInt32
    private let index: Index

    private enum Index {
        /// A few different ASCII keys, searched one by one after the likely one.
        case none
        /// Many different ASCII keys. Indirect, so that copies of a container are small.
        indirect case bytes(KeyTable)
        /// The tokens of other keys, by their names in the models.
        case names([String: UInt32])
    }

    init(_ document: Document, _ object: UInt32) {
        self.document = document
        self.object = object
        let token = document.tape[object]
        let isASCII = document.settings.keepsKeys && !token.flags.contains(.complexKeys)
        // For few keys, comparing is faster than making a table.
        let isLarge = token.count > 16
        if isASCII, !isLarge, document.hasDistinctKeys(object) {
            index = .none
        } else if isASCII, isLarge, let table = KeyTable(document, object) {
            index = .bytes(table)
        } else {
            index = .names(document.names(object))
        }
    }

    /// Whether all keys differ in their bytes, so that comparing bytes with the likely key is enough.
    private var isHinted: Bool {
        if case .names = index { false } else { true }
    }

    /// The value of a key; nil if it is missing. `isLast` is false if the same key is likely to be asked for again.
    @inline(__always) func find(_ name: String, isLast: Bool = true) -> Value? {
        var name = name
        guard let key = name.withUTF8({ likely($0) }) ?? other(&name) else { return nil }
        if isLast, isHinted { document.tape[object &+ 1].hint = document.tape.next(after: key &+ 1) }
        return Value(document: document, token: key &+ 1, parent: object, ordinal: key)
    }

    /// The next key of the object, if it is the wanted one.
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
        // A key that is not ASCII may be canonically equivalent to one that is: a kelvin sign is a K.
        var mapped = name.decomposedStringWithCanonicalMapping
        return mapped.isASCII ? other(&mapped) : nil
    }

    /// The keys in the order of the document, each once.
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
    /// The first key of an object with these bytes.
    @inline(__always) fileprivate func search(_ object: UInt32, for wanted: UnsafeBufferPointer<UInt8>) -> UInt32? {
        var keys = tape.keys(of: object)
        while let key = keys.next() {
            if bytes.equals(wanted, tape[key]) { return key }
        }
        return nil
    }

    /// Whether no key occurs twice in a small object with ASCII keys.
    fileprivate func hasDistinctKeys(_ object: UInt32) -> Bool {
        // A bit for each hash of length, first and last byte. Only keys with the same hash are compared.
        var seen: UInt64 = 0
        var keys = tape.keys(of: object)
        while let key = keys.next() {
            let token = tape[key]
            let last = bytes[Int(token.start &+ token.length) &- 1]
            let hash = bytes[Int(token.start)] &+ last &* 11 &+ UInt8(truncatingIfNeeded: token.length) &* 29
            let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: hash)
            if seen & bit != 0, bytes.withText(of: token, { search(object, for: $0) }) != key { return false }
            seen |= bit
        }
        return true
    }

    /// The keys of an object as models know them, if they have escapes, are not ASCII, or are changed by a strategy.
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

/// A hash table of the ASCII keys of a large object. The hash has a random seed, so that a document cannot cause
/// collisions.
struct KeyTable {
    private let tape: Tape
    private let bytes: Bytes
    /// Token indices in an open-addressing table; 0 in empty slots.
    private var slots: [UInt32]

    /// Creates the table; nil if a key occurs twice.
    init?(_ document: Document, _ object: UInt32) {
        tape = document.tape
        bytes = document.bytes
        let count = Int(tape[object].count)
        slots = Array(repeating: 0, count: 1 << (Int.bitWidth - (2 * count).leadingZeroBitCount))
        var keys = tape.keys(of: object)
        while let key = keys.next() {
            let slot = bytes.withText(of: tape[key]) { self.slot(of: $0) }
            guard slots[slot] == 0 else { return nil }
            slots[slot] = key
        }
    }

    /// The key with these bytes.
    func find(_ wanted: UnsafeBufferPointer<UInt8>) -> UInt32? {
        let key = slots[slot(of: wanted)]
        return key == 0 ? nil : key
    }

    /// The slot of a key, or the empty one where it belongs.
    @inline(__always) private func slot(of wanted: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(wanted))
        let mask = slots.count - 1
        var slot = hasher.finalize() & mask
        while slots[slot] != 0, !bytes.equals(wanted, tape[slots[slot]]) { slot = (slot &+ 1) & mask }
        return slot
    }
}
