/// Another path and query for a request object, where the running code builds its requests; `nil` for its own.
package struct OtherTarget: CallLocal, Sendable {
    package typealias Change =
        @Sendable (_ path: String, _ items: [URLQueryItem]) -> (path: String, items: [URLQueryItem])

    package static let initial: OtherTarget? = nil

    private let object: ObjectIdentifier
    private let change: Change

    package init(of object: AnyObject, _ change: @escaping Change) {
        self.object = ObjectIdentifier(object)
        self.change = change
    }

    /// The change for a request object; `nil` for another one, as in a `start()` or in the refresh of a token.
    static func change(of object: AnyObject) -> Change? {
        guard let other = CallLocals.here[OtherTarget.self], other.object == ObjectIdentifier(object) else {
            return nil
        }
        return other.change
    }
}
