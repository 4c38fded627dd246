extension String {
    /// The text of these bytes; nil if they are not UTF-8.
    package init?(valid bytes: some Collection<UInt8>) {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            self.init(validating: bytes, as: UTF8.self)
        } else {
            let text = String(decoding: bytes, as: UTF8.self)
            // What is not UTF-8 has become replacement characters.
            guard text.utf8.elementsEqual(bytes) else { return nil }
            self = text
        }
    }
}
