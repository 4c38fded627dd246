/// The bytes of texts inside of a text that may still be looked through: several times its own, since what is written
/// in one encoding may be read in another as well, but not as many as encodings in encodings could make of it.
///
/// A text that it does not reach for is taken for a secret as a whole.
package final class Allowance {
    private var bytes: Int

    package init(for text: [UInt8]) { bytes = 4 * text.count }

    /// Whether the text may be looked through.
    package func take(_ text: [UInt8]) -> Bool {
        bytes -= text.count
        return bytes >= 0
    }
}
