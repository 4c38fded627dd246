/// The keys of a large object, all of ASCII, by a hash of their bytes. The hash has a secret seed: nobody can choose keys that
/// fall on one place.
final class KeyTable {
    private let document: Document
    /// Token indices, at the place of their hash or behind it; zero where there is none.
    private let slots: [UInt32]
    private let mask: Int
    /// Whether no key is there twice.
    let isDistinct: Bool

    init(_ document: Document, _ object: UInt32) {
        self.document = document
        let tape = document.tape
        let bytes = document.bytes
        let count = Int(tape[object].count)
        let capacity = 1 << (Int.bitWidth - (2 * count).leadingZeroBitCount)
        let mask = capacity - 1
        var isDistinct = true
        var slots = [UInt32](repeating: 0, count: capacity)
        let end = tape[object].length
        var key = object &+ 2
        slots.withUnsafeMutableBufferPointer { slots in
            while key < end {
                let token = tape[key]
                var place = bytes.withSlice(Int(token.start), Int(token.length), Self.hash) & mask
                while slots[place] != 0 {
                    let other = tape[slots[place]]
                    if other.length == token.length,
                        bytes.areEqual(Int(other.start), Int(token.start), Int(token.length))
                    {
                        isDistinct = false
                        break
                    }
                    place = (place &+ 1) & mask
                }
                // The first one stays.
                if slots[place] == 0 { slots[place] = key }
                key = tape.next(after: key &+ 1)
            }
        }
        self.slots = slots
        self.mask = mask
        self.isDistinct = isDistinct
    }

    /// The first key with these bytes.
    func find(_ wanted: UnsafeBufferPointer<UInt8>) -> UInt32? {
        var place = Self.hash(wanted) & mask
        while slots[place] != 0 {
            let token = document.tape[slots[place]]
            if document.bytes.equals(wanted, Int(token.start), Int(token.length)) { return slots[place] }
            place = (place &+ 1) & mask
        }
        return nil
    }

    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        return hasher.finalize()
    }
}
