import HTTPTransport

extension StreamedReply {
    /// The reply whose body is followed by something to do, if it comes whole.
    func followed(by work: @escaping () -> AnyPublisher<Data, any Error>) -> StreamedReply {
        StreamedReply(head, body: body.append(Deferred(createPublisher: work)).eraseToAnyPublisher())
    }

    /// The reply whose body is recorded, and handed over once it is whole, unless it is longer than the limit.
    func recorded(
        atMost limit: Int,
        _ work: @escaping (Data) -> AnyPublisher<Data, any Error>
    ) -> StreamedReply {
        let body = body
        let recorded = Deferred {
            let recorder = BodyRecorder(limit: limit)
            return body.handleEvents(receiveOutput: { recorder.take($0) })
                .append(Deferred { recorder.whole.map(work) ?? Empty().eraseToAnyPublisher() })
        }
        return StreamedReply(head, body: recorded.eraseToAnyPublisher())
    }

    /// The body, read and thrown away, so that its connection can be used again. How it ends does not matter.
    var drained: AnyPublisher<StreamedReply, any Error> {
        body.flatMap { _ in Empty<StreamedReply, any Error>() }
            .catch { _ in Empty() }
            .eraseToAnyPublisher()
    }
}
