import Chains

/// The names of the operators that this library can put into a chain.
public let operatorNames: Set<String> = Set(table.keys)

private let table: [String: @Sendable (Stream, Int, World) -> Stream] = Dictionary(
    uniqueKeysWithValues: operatorTable.map { ($0.name, $0.apply) }
)

/// Runs `chain`, and returns what happened.
public func run(_ chain: Chain) -> [Event] {
    let world = World()
    let source: Stream
    var current: CurrentValueSubject<Int, any Error>?
    switch chain.source {
    case .sequence(let count):
        source = world.watched((1..<count + 1).publisher.setFailureType(to: (any Error).self))
    case .just(let value): source = world.watched(Just(value).setFailureType(to: (any Error).self))
    case .optional(let value): source = world.watched(value.publisher.setFailureType(to: (any Error).self))
    case .result(let value):
        let result: Result<Int, any Error> = value.map { .success($0) } ?? .failure(Boom(code: 1))
        source = world.watched(result.publisher)
    case .empty(let finishes): source = world.watched(Empty<Int, any Error>(completeImmediately: finishes))
    case .fail(let code): source = world.watched(Fail<Int, any Error>(error: Boom(code: code)))
    case .future(let value): source = world.watched(Future<Int, any Error> { $0(.success(value)) })
    case .passthrough: source = world.watched(world.first)
    case .currentValue(let value):
        let subject = CurrentValueSubject<Int, any Error>(value)
        current = subject
        source = world.watched(subject)
    case .flaky(let failures):
        var attempts = 0
        let deferred = Deferred { () -> Stream in
            attempts += 1
            return attempts <= failures
                ? Fail(error: Boom(code: attempts)).eraseToAnyPublisher()
                : (1...3).publisher.setFailureType(to: (any Error).self).eraseToAnyPublisher()
        }
        source = world.watched(deferred)
    case .record(let values, let fails):
        source = world.watched(recorded(values, fails ? .failure(Boom(code: 9)) : .finished))
    }

    let pipeline = chain.operators.reduce(source) { stream, next in
        table[next.name]?(stream, next.parameter, world) ?? stream
    }
    let collector = Collector(chain.subscriber, in: world)
    pipeline.subscribe(collector)
    for (number, action) in chain.script.enumerated() {
        world.log.append(.action(number))
        switch action {
        case .request(let amount): collector.request(amount)
        case .cancel: collector.cancel()
        case .send(let value, second: true): world.second.send(value)
        case .finish(second: true): world.second.send(completion: .finished)
        case .fail(let code, second: true): world.second.send(completion: .failure(Boom(code: code)))
        case .send(let value, second: false):
            world.first.send(value)
            current?.send(value)
        case .finish(second: false):
            world.first.send(completion: .finished)
            current?.send(completion: .finished)
        case .fail(let code, second: false):
            world.first.send(completion: .failure(Boom(code: code)))
            current?.send(completion: .failure(Boom(code: code)))
        case .advance(let time): world.clock.advance(by: time)
        }
    }
    collector.subscription = nil
    return world.log
}
