/// Some of the 256 bytes, to look for in long texts.
package struct ByteSet {
    private var contained = [Bool](repeating: false, count: 256)

    package init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { contained[Int(byte)] = true }
    }

    func contains(_ byte: UInt8) -> Bool { contained[Int(byte)] }

    /// The index of the first of these bytes from `start` on; the end of the text if there is none.
    package func firstIndex(in text: [UInt8], from start: Int) -> Int {
        var index = start
        while index < text.count, !contained[Int(text[index])] { index += 1 }
        return index
    }

    /// The index of the first other byte from `start` on; the end of the text if there is none.
    func firstIndexOutside(in text: [UInt8], from start: Int) -> Int {
        var index = start
        while index < text.count, contained[Int(text[index])] { index += 1 }
        return index
    }
}
