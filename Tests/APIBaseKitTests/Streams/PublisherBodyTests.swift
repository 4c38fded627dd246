import APIBaseKit
import Basics
import TestTiers
import Testing

/// The body of a response, read from the publisher of the response.
@Suite(.limited) struct PublisherBodyTests {
    private struct Broken: Error {}

    private let replies = PassthroughSubject<StreamedReply, any Error>()
    private let bytes = PassthroughSubject<Data, any Error>()
    private let log = Locked<[String]>([])

    /// A reply with the bytes as its body. What its reader asks for is kept.
    private func reply(_ body: AnyPublisher<Data, any Error>? = nil) throws -> StreamedReply {
        let url = try #require(URL(string: "http://api.example/x"))
        let head = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        return StreamedReply(response: head, body: logged(body ?? bytes.eraseToAnyPublisher(), "body"))
    }

    private func logged<Output>(
        _ publisher: AnyPublisher<Output, any Error>,
        _ name: String
    ) -> AnyPublisher<Output, any Error> {
        publisher.handleEvents(
            receiveCancel: { log.withLock { $0.append("\(name) canceled") } },
            receiveRequest: { demand in log.withLock { $0.append("\(name) \(demand.max ?? -1)") } }
        )
        .eraseToAnyPublisher()
    }

    private func taker() -> Taker<Data> { Taker(logged(replies.eraseToAnyPublisher(), "call").body) }

    private func text(_ taker: Taker<Data>) -> String {
        String(decoding: taker.values.reduce(Data(), +), as: UTF8.self)
    }

    private func end(_ taker: Taker<Data>) -> String {
        switch taker.completion {
        case nil: "open"
        case .finished: "finished"
        case .failure(let error): "\(error)"
        }
    }

    @Test func `The body operator starts the call once, and then asks for as many chunks as are wanted`() throws {
        let taker = taker()
        #expect(log.withLock { $0 } == ["call 1"])
        taker.take(2)
        taker.take(1)
        replies.send(try reply())
        replies.send(completion: .finished)
        #expect(log.withLock { $0 } == ["call 1", "body 3"])
        bytes.send(Data("a".utf8))
        bytes.send(Data("b".utf8))
        taker.take(4)
        #expect(text(taker) == "ab" && end(taker) == "open")
        bytes.send(completion: .failure(Broken()))
        #expect(log.withLock { $0 } == ["call 1", "body 3", "body 4"])
        #expect(text(taker) == "ab" && end(taker) == "Broken()")
    }

    @Test func `The body operator ends as its body does, whatever happens to the call afterwards`() throws {
        let taker = taker()
        taker.take(.max)
        replies.send(try reply())
        bytes.send(Data("a".utf8))
        // The upstream is asked for one response.
        replies.send(try reply(Just(Data("x".utf8)).setFailureType(to: (any Error).self).eraseToAnyPublisher()))
        replies.send(completion: .failure(Broken()))
        #expect(text(taker) == "a" && end(taker) == "open")
        bytes.send(completion: .finished)
        #expect(text(taker) == "a" && end(taker) == "finished")
        #expect(!log.withLock { $0.contains { $0.hasSuffix("canceled") } })
    }

    @Test(arguments: [(Subscribers.Completion<any Error>.finished, "finished"), (.failure(Broken()), "Broken()")])
    func `The body operator ends with the call if there is no response`(
        completion: Subscribers.Completion<any Error>,
        expected: String
    ) {
        let taker = taker()
        taker.take(1)
        replies.send(completion: completion)
        #expect(taker.values.isEmpty && end(taker) == expected)
    }

    @Test func `Canceling the body operator cancels the call before its response, and then the body`() throws {
        let early = taker()
        early.take(1)
        early.cancel()
        replies.send(try reply())
        #expect(log.withLock { $0 } == ["call 1", "call canceled"])
        log.withLock { $0 = [] }
        let late = taker()
        late.take(1)
        replies.send(try reply())
        late.cancel()
        bytes.send(Data("a".utf8))
        #expect(log.withLock { $0 } == ["call 1", "body 1", "call canceled", "body canceled"])
        #expect(early.values.isEmpty && late.values.isEmpty && end(late) == "open")
    }

    @Test func `The body operator delivers 50,000 chunks that are asked for one by one without nesting calls`() throws {
        let count = 50_000
        let chunks = repeatElement(Data("a".utf8), count: count).publisher.setFailureType(to: (any Error).self)
        let taken = Locked(0)
        let greedy = AnySubscriber<Data, any Error> {
            $0.request(.max(1))
        } receiveValue: { _ in
            taken.withLock { $0 += 1 }
            return .max(1)
        }
        Just(try reply(chunks.eraseToAnyPublisher())).setFailureType(to: (any Error).self).body.subscribe(greedy)
        #expect(taken.withLock { $0 } == count)
    }
}
