import HTTPTransport

/// What an update sends of the value that it has changed.
public enum UpdateContent: Sendable, Hashable {
    /// The whole value, by `PUT`.
    case value
    /// What has changed, by `PATCH`, as a merge patch (`application/merge-patch+json`, RFC 7396).
    case mergePatch

    var method: HTTPMethod { self == .value ? .put : .patch }

    /// The type of the body; `nil` for that of the request object.
    var type: String? { self == .value ? nil : HTTPBody.mergePatchType }
}
