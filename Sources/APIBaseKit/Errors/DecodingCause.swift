/// A decoder's error, which takes no part in comparing, and is not shown by `dump`.
struct DecodingCause: Sendable, Hashable, CustomReflectable {
    let error: DecodingError
    var customMirror: Mirror { Mirror(self, children: []) }
    static func == (left: DecodingCause, right: DecodingCause) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}
