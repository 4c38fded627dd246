/// A text of a server that is kept and sent back in a header of later requests, such as an entity tag.
package enum Echo {
    /// The longest text that is sent back, in bytes. Common servers take 8 KB in one line of a header and refuse a
    /// longer one with 431, so every later request would fail.
    package static let limit = 4_096
}
