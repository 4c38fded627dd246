import Chains

typealias Stream = AnyPublisher<Int, any Error>

/// What the operators of one running chain share: the log, two subjects, and time.
final class World {
    var log: [Event] = []
    let first = PassthroughSubject<Int, any Error>()
    let second = PassthroughSubject<Int, any Error>()
    let clock = Clock()
    var sources = 0

    /// Writes down that a closure was called.
    func called(_ name: String) { log.append(.called(name)) }

    /// A second publisher for operators that take one.
    func other(_ parameter: Int) -> Stream {
        switch parameter {
        case 0: watched((10...12).publisher.setFailureType(to: (any Error).self))
        case 1: watched(Empty<Int, any Error>())
        case 2: watched(Fail<Int, any Error>(error: Boom(code: 20)))
        case 3: watched(Just(20).setFailureType(to: (any Error).self))
        default: watched(second)
        }
    }

    func watched<P: Publisher>(_ upstream: P) -> Stream where P.Output == Int, P.Failure == any Error {
        Probe(upstream: upstream, world: self).eraseToAnyPublisher()
    }
}

struct Boom: Error, Equatable, CustomStringConvertible {
    let code: Int
    var description: String { "Boom \(code)" }
}

func check(_ isGood: Bool, _ code: Int) throws {
    if !isGood { throw Boom(code: code) }
}
