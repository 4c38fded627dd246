/// The keys of a large object, all of ASCII, by a hash of their bytes. The hash has a secret seed: nobody can choose keys that
/// fall on one place.
struct KeyTable {
    private let tape: Tape
    private let bytes: Bytes
    /// Token indices, at the place of their hash or behind it; zero where there is none.
    private var slots: [UInt32]

    /// Fails if a key is there twice.
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

    /// The slot of a key, or the one that it would have.
    @inline(__always) private func slot(of wanted: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(wanted))
        let mask = slots.count - 1
        var slot = hasher.finalize() & mask
        while slots[slot] != 0, !bytes.equals(wanted, tape[slots[slot]]) { slot = (slot &+ 1) & mask }
        return slot
    }
}
