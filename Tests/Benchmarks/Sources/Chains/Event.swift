/// What was seen while a chain ran.
public enum Event: Equatable, Sendable {
    /// Downstream's calls.
    case subscription
    case value(Int)
    case finished
    case failed(String)
    /// What reached a source: its number in order of subscription, and the demand.
    case subscribed(Int)
    case requested(Int, Amount)
    case cancelled(Int)
    /// A source has come to its end.
    case ended(Int)
    /// What the subscriber at the end does.
    case asks(Amount)
    case cancels
    /// A closure of an operator was called.
    case called(String)
    /// An action of the script begins.
    case action(Int)
}

extension Event: CustomStringConvertible {
    /// The event in words.
    public var description: String {
        switch self {
        case .subscription: "subscription"
        case .value(let value): "value \(value)"
        case .finished: "finished"
        case .failed(let error): "failed \(error)"
        case .subscribed(let source): "(\(source) subscribed)"
        case .requested(let source, let demand): "(\(source) requested \(amount(demand)))"
        case .cancelled(let source): "(\(source) cancelled)"
        case .ended(let source): "(\(source) ended)"
        case .asks(let demand): "<asks \(amount(demand))>"
        case .cancels: "<cancels>"
        case .called(let name): "(\(name))"
        case .action(let number): "#\(number)"
        }
    }

    /// Whether it is a value for the subscriber at the end.
    public var isValue: Bool {
        if case .value = self { return true }
        return false
    }

    /// Whether a source is asked for values.
    public var isRequest: Bool {
        if case .requested = self { return true }
        return false
    }

    /// Whether it passes between a source and what reads it, or is an operator's word of that.
    public var isUpstream: Bool {
        switch self {
        case .subscribed, .requested, .cancelled, .ended: true
        case .called(let name): ["handle subscription", "handle request", "handle cancel"].contains(name)
        case .subscription, .value, .finished, .failed, .action, .asks, .cancels: false
        }
    }

    /// Whether the subscriber at the end sees it.
    public var isDownstream: Bool {
        switch self {
        case .subscription, .value, .finished, .failed: true
        case .subscribed, .requested, .cancelled, .ended, .asks, .cancels, .called, .action: false
        }
    }
}
