import Basics
import HTTPTransport

extension StreamedReply {
    /// The response with work that starts when its body is complete.
    func followed(by work: @escaping () -> AnyPublisher<Data, any Error>) -> StreamedReply {
        StreamedReply(head, body: body.append(Deferred(createPublisher: work)).eraseToAnyPublisher())
    }

    /// The response with work that gets the body when that is complete, unless it is longer than the limit.
    func recorded(
        atMost limit: Int,
        _ work: @escaping (Data) -> AnyPublisher<Data, any Error>
    ) -> StreamedReply {
        let body = body
        let recorded = Deferred {
            let buffer = BodyBuffer(limit: limit)
            return body.handleEvents(receiveOutput: { buffer.append($0) })
                .append(Deferred { buffer.contents.map(work) ?? Empty().eraseToAnyPublisher() })
        }
        return StreamedReply(head, body: recorded.eraseToAnyPublisher())
    }

    /// Reads and discards the body, so that the connection can be used again. Errors are ignored.
    var drained: ReplyPublisher {
        body.ignoreOutput()
            .map { _ -> StreamedReply in }
            .catch { _ in Empty() }
            .eraseToAnyPublisher()
    }
}

/// The bytes of a body, up to a limit.
final class BodyBuffer: Sendable {
    private let limit: Int
    private let data = Locked<Data?>(Data())

    init(limit: Int) {
        self.limit = limit
    }

    func append(_ chunk: Data) {
        let dropped = data.withLock { data -> Data? in
            guard let count = data?.count else { return nil }
            if count + chunk.count > limit { return data.take() }
            data?.append(chunk)
            return nil
        }
        withExtendedLifetime(dropped) {}
    }

    /// All bytes; `nil` if they exceed the limit.
    var contents: Data? { data.withLock { $0 } }
}
