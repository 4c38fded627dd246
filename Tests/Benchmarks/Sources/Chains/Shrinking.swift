extension Chain {
    /// Takes away and simplifies whatever can go while `isBad` stays true.
    public func shrunk(while isBad: (Chain) -> Bool) -> Chain {
        var best = self
        while let simpler = best.simplifications.first(where: isBad) { best = simpler }
        return best
    }

    /// Chains that are one step simpler.
    private var simplifications: [Chain] {
        var chains: [Chain] = []
        func add(_ change: (inout Chain) -> Void) {
            var chain = self
            change(&chain)
            if chain != self { chains.append(chain) }
        }
        if operators.count > 1 {
            for index in operators.indices { add { $0.operators.remove(at: index) } }
        }
        for index in script.indices { add { $0.script.remove(at: index) } }
        add { $0.subscriber.cancelsInside = nil }
        add { $0.subscriber.requestsInside = nil }
        add { $0.subscriber.returned = [0] }
        add { $0.subscriber.initial = nil }
        if subscriber.returned.count > 1 { add { $0.subscriber.returned = [1] } }
        for index in operators.indices where operators[index].parameter > 0 {
            add { $0.operators[index].parameter -= 1 }
        }
        for simpler in source.simpler { add { $0.source = simpler } }
        for index in script.indices {
            if case .send(let value, let second) = script[index], value > 1 {
                add { $0.script[index] = .send(value - 1, second: second) }
            }
            if case .request(let demand?) = script[index], demand > 1 { add { $0.script[index] = .request(1) } }
        }
        if let initial = subscriber.initial, initial > 1 { add { $0.subscriber.initial = initial - 1 } }
        return chains
    }
}

extension Source {
    fileprivate var simpler: [Source] {
        switch self {
        case .sequence(let count): count > 0 ? [.sequence(count - 1)] : []
        case .just, .empty, .passthrough, .fail: []
        case .optional(let value): value.map { [.sequence(1), .just($0)] } ?? [.empty(finishes: true)]
        case .result(let value): value.map { [.sequence(1), .just($0)] } ?? [.fail(1)]
        case .future(let value): [.sequence(1), .just(value)]
        case .currentValue: [.passthrough]
        case .flaky(let failures): failures > 0 ? [.fail(1), .flaky(failures: failures - 1)] : [.sequence(3)]
        case .record(let values, let fails): fails ? [.fail(1)] : [.sequence(values.count)]
        }
    }
}
