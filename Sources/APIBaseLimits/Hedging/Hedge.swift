import APIBaseCore
import Basics
import HTTPTransport

/// A second copy of a call that only reads, sent if the first has no answer in time: the answer that comes first counts,
/// and the other copy is canceled. A few slow answers then do not make a call slow.
///
/// ```swift
/// override func configure() {
///     super.configure()
///     hedge = .after(percentile: 95)
/// }
/// ```
///
/// A copy is sent of a request with a safe method (RFC 9110, section 9.2.1) whose body can be sent again, not of a stream,
/// nor of one with a signature. It passes no ``APIBase/gate``.
/// It has the credentials of the first, and does not count as an attempt of ``APIBase/retry``. Of twenty answers, one may be
/// to a copy, and ``RetryPolicy/budget`` counts the copies as well. While an API does not answer, or its last answer was
/// a failure, no copies are sent. ``CopySent`` tells of each.
///
/// Where waits take no time, as with stubs on an immediate clock, no copy is sent.
public struct Hedge: Sendable, Hashable {
    enum Delay: Sendable, Hashable {
        case time(Duration)
        case percentile(Int)
    }

    let delay: Delay

    /// A copy after a fixed time.
    public static func after(_ delay: Duration) -> Hedge { Hedge(delay: .time(max(.zero, delay))) }

    /// A copy once a call takes longer than this percentage of the last 128 answers to calls of its class, from 1 to 99.
    /// The first 20 calls have no copy.
    public static func after(percentile: Int) -> Hedge { Hedge(delay: .percentile(min(99, max(1, percentile)))) }
}

/// The note that a second copy of a request is sent: see ``Hedge``.
public struct CopySent: CallNote {
    /// The time without an answer.
    public let delay: Duration

    /// The time in a sentence.
    public var description: String { "A second copy is sent, since there is no answer after \(delay.inSeconds) s." }
}

extension APIBase {
    /// Whether a second copy of a request is sent if an answer takes too long. `nil` by default: never.
    public var hedge: Hedge? {
        get { features[HedgeFeature.self]?.hedge }
        set { features[HedgeFeature.self] = newValue.map(HedgeFeature.of) }
    }
}

/// The feature of all calls with the same ``Hedge``.
final class HedgeFeature: CallFeature {
    private static let known = Locked<[Hedge: HedgeFeature]>([:])

    let hedge: Hedge
    private let paces = PerScope { Locked<[ObjectIdentifier: HedgePace]>([:]) }

    private init(_ hedge: Hedge) { self.hedge = hedge }

    static func of(_ hedge: Hedge) -> HedgeFeature { known.value(of: hedge) { HedgeFeature(hedge) } }

    static var position: StepPosition { .aroundSending }
    static var runsUserCode: Bool { false }

    func sendingStep(in call: Call) -> (any SendingStep)? {
        guard !call.isStream, call.variant == nil, !call.clock.endsWaitsAtOnce else { return nil }
        let id = ObjectIdentifier(type(of: call.api))
        let pace = paces.value(for: call.standInOwner).value(of: id) { HedgePace(hedge.delay) }
        return HedgeStep(call: call, pace: pace)
    }
}

/// Sends a second copy of a request that has no answer in time.
struct HedgeStep: SendingStep {
    let call: Call
    let pace: HedgePace

    func replies(to attempt: Attempt, next: NextSending) -> ReplyPublisher {
        // A signature may be good for one request.
        guard attempt.request.method.isSafe, attempt.signer == nil, call.canRepeatBody(of: attempt.request) else {
            return next.replies(to: attempt)
        }
        var copied = attempt
        copied.isCopied = true
        return ColdPublisher { [copied] in HedgedReplies(call, pace, for: $0) { next.replies(to: copied) } }
            .eraseToAnyPublisher()
    }
}
