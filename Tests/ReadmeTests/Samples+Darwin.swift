// swift-format-ignore-file
#if canImport(Darwin)
import APIBaseKit

// sample pins
class BankAPI: JSONAPI {
    static let pinnedSession = URLSession(
        configuration: .ephemeral,
        delegate: PinnedKeys(["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]),
        delegateQueue: nil
    )

    override func configure() {
        super.configure()
        session = Self.pinnedSession
    }
}
// end
#endif
