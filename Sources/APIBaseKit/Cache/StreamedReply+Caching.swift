import HTTPTransport

extension StreamedReply {
    init(head: ResponseHead, data: Data) {
        self.init(
            response: head.httpURLResponse,
            body: Just(data).setFailureType(to: (any Error).self).eraseToAnyPublisher()
        )
    }

    /// A stored reply as an answer.
    init(_ stored: StoredReply) {
        self.init(head: ResponseHead(stored), data: stored.body)
    }

    /// The reply whose body is followed by something to do, if it comes whole.
    func followed(by work: @escaping () -> AnyPublisher<Data, any Error>) -> StreamedReply {
        StreamedReply(response: response, body: body.append(Deferred(createPublisher: work)).eraseToAnyPublisher())
    }

    /// The reply whose body is recorded, and handed over once it is whole, unless it is longer than the limit.
    func recorded(
        atMost limit: Int,
        _ work: @escaping (Data) -> AnyPublisher<Data, any Error>
    ) -> StreamedReply {
        let recorder = BodyRecorder(limit: limit)
        let recorded = body.handleEvents(receiveOutput: { recorder.take($0) }).eraseToAnyPublisher()
        return StreamedReply(response: response, body: recorded).followed {
            recorder.whole.map(work) ?? Empty().eraseToAnyPublisher()
        }
    }

    /// The body, read and thrown away, so that its connection can be used again.
    var drained: AnyPublisher<StreamedReply, any Error> {
        body.flatMap { _ in Empty<StreamedReply, any Error>() }.eraseToAnyPublisher()
    }
}

extension ResponseHead {
    init(_ stored: StoredReply) {
        self.init(statusCode: stored.statusCode, headers: stored.headers, url: stored.url)
    }
}
