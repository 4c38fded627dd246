extension APIBase {
    /// What the transport calls with its byte counts: sets the published properties for as long as somebody holds the
    /// request object.
    func progressHandler(for body: HTTPBody) -> @Sendable (ExchangeProgress) -> Void {
        let target = ProgressTarget(api: self)
        target.publish { api in
            api.uploadProgress = (0, body.count ?? -1)
            api.downloadProgress = (0, 0)
        }
        return { progress in
            target.publish { api in
                switch progress {
                case .sent(let bytes, let expected): api.uploadProgress = (bytes, expected ?? -1)
                case .received(let bytes, let expected): api.downloadProgress = (bytes, expected ?? -1)
                }
            }
        }
    }
}

/// A request object as its progress sees it, without keeping it alive.
///
/// Unchecked: the reference itself is atomic, and the object's progress is written here alone.
struct ProgressTarget: @unchecked Sendable {
    weak var api: APIBase?
}
