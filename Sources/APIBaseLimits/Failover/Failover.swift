import APIBaseCore
import Basics
import HTTPTransport

/// The rules for calls if one of the ``APIBase/baseURLs`` cannot be reached: they go to another.
///
/// ```swift
/// class BooksAPI: JSONAPI {
///     override class var baseURLs: [URL] { [europe, america] }
///
///     override func configure() {
///         super.configure()
///         failover = Failover()
///     }
/// }
/// ```
///
/// All calls go to one address, at first the first. It is given up if it cannot be reached, or after `failures` in a row:
/// connections that break or time out, and responses with status 503. The next one is in use then, and stays so until
/// the one before has rested: a single call tries it, and all follow if that has an answer.
///
/// A call without a response goes on at the next address at once, each address once, if its method is idempotent (RFC
/// 9110, section 9.2.2), if it has an ``APIBase/idempotencyKey``, or if nothing of it was sent. So does one with the 503
/// for which an address is given up. Another fails as ever; ``APIBase/retry`` decides about it. Other statuses are no
/// reason; a refused token is not, nor is a token that cannot be got.
///
/// Credentials are those of an origin: a ``TokenSource`` has to name the servers that get its tokens. Requests that are
/// not below the first address, as with an ``APIAccount`` of another server, stay as they are. All calls of a process
/// with the same addresses share what is known about them; scopes of stubs have their own. ``ServerChanged`` tells of
/// each change.
public struct Failover: Sendable, Hashable {
    let failures: Int
    let restsFor: Duration

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - failures: The number of failures in a row after which an address is given up; at least 1. One that cannot be
    ///     reached is given up at once.
    ///   - restsFor: The time after which a call tries an address again.
    public init(failures: Int = 3, restsFor: Duration = .seconds(30)) {
        (self.failures, self.restsFor) = (max(1, failures), max(.zero, min(restsFor, .longest)))
    }
}

/// The note that a call goes to another of the ``APIBase/baseURLs`` than those before it: see ``Failover``.
public struct ServerChanged: CallNote {
    /// The address that was in use.
    public let from: URL
    /// The address that is in use from now on.
    public let to: URL

    /// Both in a sentence.
    public var description: String { "Calls go to \(to.absoluteString) in place of \(from.absoluteString)." }
}

extension APIBase {
    /// The rules for calls if one of the ``APIBase/baseURLs`` cannot be reached. `nil` by default: the calls fail.
    public var failover: Failover? {
        get { features[FailoverFeature.self]?.rule }
        set { features[FailoverFeature.self] = newValue.map(FailoverFeature.of) }
    }
}

/// The feature of all calls with the same ``Failover``.
final class FailoverFeature: CallFeature {
    private static let known = Locked<[Failover: FailoverFeature]>([:])

    let rule: Failover
    private let choices = PerScope { Locked<[[URL]: ServerChoice]>([:]) }

    private init(_ rule: Failover) { self.rule = rule }

    static func of(_ rule: Failover) -> FailoverFeature { known.value(of: rule) { FailoverFeature(rule) } }

    static var position: StepPosition { .aroundRequest }
    static var runsUserCode: Bool { false }

    func step(in call: Call) -> (any CallStep)? {
        let servers = type(of: call.api).baseURLs
        guard servers.count > 1 else { return nil }
        let choices = choices.value(for: call.standInOwner)
        return FailoverStep(call: call, choice: choices.value(of: servers) { ServerChoice(servers, rule) })
    }
}
