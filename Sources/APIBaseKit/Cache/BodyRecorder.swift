import Basics

/// The bytes of a body that pass by, up to a limit.
final class BodyRecorder: Sendable {
    private let limit: Int
    private let data = Locked<Data?>(Data())

    init(limit: Int) {
        self.limit = limit
    }

    func take(_ chunk: Data) {
        let dropped = data.withLock { data -> Data? in
            guard let count = data?.count else { return nil }
            if count + chunk.count > limit { return data.take() }
            data?.append(chunk)
            return nil
        }
        withExtendedLifetime(dropped) {}
    }

    /// All of it; `nil` if it was more than the limit.
    var whole: Data? { data.withLock { $0 } }
}
