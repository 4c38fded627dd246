import HTTPTransport

/// The difference between the calls of a feature, such as polls and downloads, and those of their request object.
package protocol CallVariant: Sendable {
    /// The request of each attempt: by default that which the request object builds.
    func request(_ build: () throws -> URLRequest) throws -> URLRequest

    /// Whether the request has the body and the idempotency key of the request object: by default true.
    var hasOwnBody: Bool { get }

    /// Whether the call goes to another origin, where it must not have credentials: by default false.
    var isForeign: Bool { get }

    /// The step around the attempts, with the wait for their permits: by default none.
    func step(in call: Call) -> (any CallStep)?

    /// Whether to accept a response: by default as ``APIBase/accepts(_:)`` does.
    func accepts(_ response: HTTPURLResponse, byDefault isAccepted: Bool) -> Bool

    /// The protocol to switch the connection of an attempt to: by default none.
    func upgrade() -> ConnectionUpgrade?
    /// That of the newest attempt.
    var lastUpgrade: ConnectionUpgrade? { get }

    /// Takes a byte count: by default it goes to the reporter. Without ``reportsProgress`` there is none.
    func count(_ progress: ExchangeRequest.Progress, for reporter: ProgressReporter?)

    /// Whether the progress is that of the request object: by default true.
    var reportsProgress: Bool { get }

    /// Whether an exchange goes on with what was received before, so that its progress does not begin at 0: by default
    /// false.
    var continuesProgress: Bool { get }
}

extension CallVariant {
    package func request(_ build: () throws -> URLRequest) throws -> URLRequest { try build() }
    package var hasOwnBody: Bool { true }
    package var isForeign: Bool { false }
    package func step(in call: Call) -> (any CallStep)? { nil }
    package func accepts(_ response: HTTPURLResponse, byDefault isAccepted: Bool) -> Bool { isAccepted }
    package func upgrade() -> ConnectionUpgrade? { nil }
    package var lastUpgrade: ConnectionUpgrade? { nil }
    package func count(_ progress: ExchangeRequest.Progress, for reporter: ProgressReporter?) {
        reporter?.count(progress)
    }
    package var reportsProgress: Bool { true }
    package var continuesProgress: Bool { false }
}

/// The variants of the calls that the running code starts, by their request objects.
package protocol CallVariants: Sendable {
    /// The variant of an object's calls; `nil` for another object, such as that of the refresh of a token.
    func variant(of api: APIBase) -> (any CallVariant)?
}

/// The variants for the running code.
package enum StartedVariants: CallLocal {
    package static let initial: (any CallVariants)? = nil
}
