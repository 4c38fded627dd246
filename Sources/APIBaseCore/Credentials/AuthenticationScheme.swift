/// A way to authenticate whose credentials depend on the request, such as signatures. It is compared by identity.
package protocol AuthenticationScheme: AnyObject, Sendable {}

/// A scheme that is compared by identity.
struct SchemeIdentity: Hashable, Sendable {
    let scheme: any AuthenticationScheme

    static func == (left: SchemeIdentity, right: SchemeIdentity) -> Bool { left.scheme === right.scheme }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(scheme)) }
}

extension Authorization {
    package init(_ scheme: any AuthenticationScheme) { self.init(kind: .scheme(SchemeIdentity(scheme: scheme))) }

    package init(_ problem: TransportError.InvalidRequest) { self.init(kind: .invalid(problem)) }
}
