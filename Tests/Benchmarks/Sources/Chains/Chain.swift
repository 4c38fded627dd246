/// A pipeline and all that happens to it, written down without any library's names, so that every library can run it.
public struct Chain: Codable, Equatable, Sendable {
    /// Where the values come from.
    public var source: Source
    /// What they pass through, the one next to the source first.
    public var operators: [Operator]
    /// How the subscriber behaves by itself.
    public var subscriber: Behaviour
    /// What happens from outside after it has been subscribed, in order.
    public var script: [Action]

    /// Creates a chain.
    public init(source: Source, operators: [Operator], subscriber: Behaviour, script: [Action]) {
        self.source = source
        self.operators = operators
        self.subscriber = subscriber
        self.script = script
    }
}

/// Where a chain's values come from.
public enum Source: Codable, Equatable, Sendable {
    /// The numbers from 1 to this one.
    case sequence(Int)
    case just(Int)
    case optional(Int?)
    /// Fails if there is no value.
    case result(Int?)
    case empty(finishes: Bool)
    case fail(Int)
    case future(Int)
    case currentValue(Int)
    case passthrough
    /// Fails for that number of subscribers, and then gives the numbers from 1 to 3.
    case flaky(failures: Int)
    case record([Int], fails: Bool)
}

/// One operator, by the name that the tables of the libraries have it under.
public struct Operator: Codable, Equatable, Sendable {
    /// The key in the table.
    public var name: String
    /// What the operator's arguments are made of, 0 to 5.
    public var parameter: Int

    /// Creates an operator.
    public init(_ name: String, _ parameter: Int) {
        self.name = name
        self.parameter = parameter
    }
}

/// A number of values asked for; nil is unlimited.
public typealias Amount = Int?

/// How the subscriber at the end of a chain behaves.
public struct Behaviour: Codable, Equatable, Sendable {
    /// What it asks for when it is subscribed.
    public var initial: Int?
    /// What it returns for its values, in turns.
    public var returned: [Int] = [0]
    /// Cancels from inside this call: 0 is the subscription, 1 the first value or the end.
    public var cancelsInside: Int?
    /// Asks for one more from inside the delivery of this value, counted from 1.
    public var requestsInside: Int?

    /// Asks for everything and does nothing else.
    public init() {}
}

/// What happens from outside.
public enum Action: Codable, Equatable, Sendable {
    case request(Amount)
    case cancel
    /// A value into the first or the second subject.
    case send(Int, second: Bool)
    case finish(second: Bool)
    case fail(Int, second: Bool)
    /// Lets time go by.
    case advance(Int)
}

extension Chain: CustomStringConvertible {
    /// The chain in one line.
    public var description: String {
        let pipeline = (["\(source)"] + operators.map { "\($0.name)[\($0.parameter)]" }).joined(separator: " → ")
        var parts = [pipeline, "asks \(amount(subscriber.initial))"]
        if subscriber.returned != [0] { parts.append("returns \(subscriber.returned)") }
        if let call = subscriber.cancelsInside { parts.append("cancels inside call \(call)") }
        if let value = subscriber.requestsInside { parts.append("requests inside value \(value)") }
        if !script.isEmpty { parts.append("then " + script.map(\.description).joined(separator: ", ")) }
        return parts.joined(separator: " | ")
    }
}

extension Action: CustomStringConvertible {
    /// The action in words.
    public var description: String {
        switch self {
        case .request(let demand): "request \(amount(demand))"
        case .cancel: "cancel"
        case .send(let value, let second): "send \(value)\(second ? " to B" : "")"
        case .finish(let second): "finish\(second ? " B" : "")"
        case .fail(let code, let second): "fail \(code)\(second ? " B" : "")"
        case .advance(let time): "wait \(time)"
        }
    }
}

func amount(_ demand: Amount) -> String { demand.map(String.init) ?? "all" }
