/// The page that the calls of one request object are for.
struct PageTarget: Sendable {
    private let object: ObjectIdentifier
    private let page: NextPage

    init(_ page: NextPage, of object: AnyObject) {
        self.object = ObjectIdentifier(object)
        self.page = page
    }

    /// The page that a request object is asked for; `nil` if it is to say that itself, as for its first one. A call of another
    /// object, as in a `start()` or in a refresh, is none of the list.
    static func page(of object: AnyObject) -> NextPage? {
        guard let target = CallLocals.here[CurrentPage.self], target.object == ObjectIdentifier(object) else {
            return nil
        }
        return target.page
    }
}

/// The target of the code that starts a call, and of its attempts; `nil` outside of a list.
enum CurrentPage: CallLocal {
    static let initial: PageTarget? = nil
}
