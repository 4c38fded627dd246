/// The keys of a large object, all of ASCII, by a hash of their bytes. The hash has a secret seed: nobody can choose keys that
/// fall on one place.
final class KeyTable {
    private let tape: Tape
    private let bytes: Bytes
    /// Token indices, at the place of their hash or behind it; zero where there is none.
    private let slots: [UInt32]
    /// Whether no key is there twice.
    let isDistinct: Bool

    init(_ document: Document, _ object: UInt32) {
        let (tape, bytes) = (document.tape, document.bytes)
        let count = Int(tape[object].count)
        var slots = [UInt32](repeating: 0, count: 1 << (Int.bitWidth - (2 * count).leadingZeroBitCount))
        var isDistinct = true
        for key in tape.keys(of: object) {
            let slot = bytes.withText(of: tape[key]) { Self.slot(of: $0, in: slots, tape, bytes) }
            // The first one stays.
            if slots[slot] == 0 { slots[slot] = key } else { isDistinct = false }
        }
        self.tape = tape
        self.bytes = bytes
        self.slots = slots
        self.isDistinct = isDistinct
    }

    /// The first key with these bytes.
    func find(_ wanted: UnsafeBufferPointer<UInt8>) -> UInt32? {
        let key = slots[Self.slot(of: wanted, in: slots, tape, bytes)]
        return key == 0 ? nil : key
    }

    /// Where a key is, or would be.
    @inline(__always) private static func slot(
        of wanted: UnsafeBufferPointer<UInt8>,
        in slots: [UInt32],
        _ tape: Tape,
        _ bytes: Bytes
    ) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(wanted))
        let mask = slots.count - 1
        var slot = hasher.finalize() & mask
        while slots[slot] != 0, !bytes.equals(wanted, tape[slots[slot]]) {
            slot = (slot &+ 1) & mask
        }
        return slot
    }
}
