import HTTPTransport

/// The part of a changed value that an update sends.
public enum UpdateContent: Sendable, Hashable {
    /// The whole value, by `PUT`.
    case value
    /// The changes, by `PATCH`, as a merge patch (`application/merge-patch+json`, RFC 7396).
    case mergePatch

    var method: HTTPMethod { self == .value ? .put : .patch }

    /// The type of the body; `nil` for that of the request object.
    var type: String? { self == .value ? nil : HTTPBody.mergePatchType }
}
