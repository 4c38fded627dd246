import Foundation

extension StoredReply {
    /// The approximate overhead in memory, in bytes: of a reply beside its texts and body, and of a field beside its texts.
    private static let overhead = 512
    private static let fieldOverhead = 64

    /// About how many bytes of memory the reply takes.
    var size: Int {
        let headers = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + Self.fieldOverhead }
        let varying = varying.reduce(0) { $0 + $1.key.utf8.count + ($1.value?.count ?? 0) + Self.fieldOverhead }
        return Self.overhead + headers + varying + body.count
    }
}
