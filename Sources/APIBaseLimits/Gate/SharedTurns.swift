import APIBaseCore
import APIBaseModels
import Basics
import Foundation
import HTTPTransport

/// The limits of a gate that it shares with other processes.
struct SharedLimits: Sendable {
    let limiter: any SharedLimiter
    var name: String
    /// The number of processes that share them. While the limiter fails, each has this part of the limits.
    let replicas: Int
}

/// The attempts at one queue of a gate that ask the shared limiter, one after another.
final class SharedTurns: Sendable {
    private struct State {
        var last: Task<Void, Never>?
        /// A moment that was taken and not used.
        var unused: Duration?
        /// The end of the time in which the limiter is not asked.
        var aloneUntil: Duration?
        /// The rate without the limiter.
        var ownRate: RateLimiter
        /// The attempts that hold a place.
        var places = 0
    }

    /// The time between two questions to a limiter that has failed, and the age up to which an unused moment is used.
    private static let rest = Duration.seconds(1)
    /// The time between two questions for a place.
    private static let pollInterval = Duration.milliseconds(50)
    /// The time after which the place of an attempt counts as free, unless its process renews it.
    private static let lease = Duration.seconds(60)

    private let limits: GateLimits
    private let shared: SharedLimits
    private let state: Locked<State>

    init(_ limits: GateLimits, _ shared: SharedLimits) {
        (self.limits, self.shared) = (limits, shared)
        let part = limits.interval.map { min($0, .longest / shared.replicas) * shared.replicas }
        state = Locked(State(ownRate: RateLimiter(interval: part, burst: max(1, limits.burst / shared.replicas))))
    }

    private var policy: RateLimit.Policy {
        guard let interval = limits.interval else { return RateLimit.Policy(quota: 1_000_000, window: .seconds(1)) }
        return RateLimit.Policy(quota: limits.burst, window: min(interval, .longest / limits.burst) * limits.burst)
    }

    /// A place for an attempt that is yet to be taken; `nil` if the gate does not limit their number.
    func place() -> SharedPlace? { limits.concurrent == nil ? nil : SharedPlace(self) }

    /// Waits for the turn of an attempt, and until it may begin.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - place: The place that it takes.
    ///   - action: Called with whether it may begin; it may not if it has waited for too long. Not called if the wait
    ///     is canceled.
    /// - Returns: The wait.
    func wait(_ call: Call, _ place: SharedPlace?, then action: @escaping @Sendable (Bool) -> Void) -> AnyCancellable {
        let end = limits.longestWait.map { call.clock.forRealWork.now + $0 }
        let task = state.withLock { state in
            let task = Task.detached { [self, last = state.last] in
                await last?.value
                guard !Task.isCancelled else { return }
                let mayBegin = await begins(call, place, before: end)
                if !Task.isCancelled { action(mayBegin) }
            }
            state.last = task
            return task
        }
        return AnyCancellable { task.cancel() }
    }

    private func begins(_ call: Call, _ place: SharedPlace?, before end: Duration?) async -> Bool {
        let clock = call.clock.forRealWork
        if let end, clock.now > end { return false }
        while let place, await !take(place, for: call, at: clock.now) {
            if Task.isCancelled { return false }
            if let end, clock.now >= end { return false }
            await clock.sleep(for: Self.pollInterval)
        }
        let due = await due(for: call, on: clock, before: end)
        if let end, due > end {
            state.withLock { $0.unused = due }
            return false
        }
        if due > clock.now { await call.clock.sleep(for: due - clock.now) }
        if Task.isCancelled { state.withLock { $0.unused = due } }
        return true
    }

    /// The moment at which the next attempt may begin.
    private func due(for call: Call, on clock: any CallClock, before end: Duration?) async -> Duration {
        while true {
            let now = clock.now
            if let unused = state.withLock({ $0.unused.take() }), unused > now - Self.rest { return unused }
            let wait = await asked(call, at: now) { [shared, policy] in
                try await shared.limiter.wait(for: shared.name, limit: policy, now: Date())
            }
            if let wait { return clock.now + max(.zero, min(wait, .longest)) }
            let own = state.withLock { state -> Duration? in
                let due = state.ownRate.due(for: now)
                let isSoon = due <= now + Self.rest || call.clock.endsWaitsAtOnce
                guard isSoon || due > end ?? .longest || Task.isCancelled else { return nil }
                state.ownRate.begin(from: due)
                return due
            }
            if let own { return own }
            // The limiter may be back before.
            await call.clock.sleep(for: Self.rest)
        }
    }

    /// The answer of the limiter; `nil` if it has failed, or is not asked.
    private func asked<Answer>(
        _ call: Call,
        at now: Duration,
        _ question: @Sendable () async throws -> Answer
    ) async -> Answer? {
        if let end = state.withLock({ $0.aloneUntil }), end > now { return nil }
        do {
            let answer = try await question()
            state.withLock { $0.aloneUntil = nil }
            return answer
        } catch {
            guard !Task.isCancelled else { return nil }
            state.withLock { $0.aloneUntil = call.clock.forRealWork.now + Self.rest }
            call.emit { .noted($0, SharedLimiterFailed(error: error)) }
            return nil
        }
    }

    /// Has all processes wait, since a response asks for it.
    func pause(for duration: Duration) {
        guard duration > .zero else { return }
        Task.detached { [shared] in
            try? await shared.limiter.pause(shared.name, for: min(duration, GateLimits.longestPause))
        }
    }
}

// MARK: Places

extension SharedTurns {
    private func take(_ place: SharedPlace, for call: Call, at now: Duration) async -> Bool {
        let count = limits.concurrent ?? .max
        place.ask()
        let answer = await asked(call, at: now) { [shared] in
            try await shared.limiter.takePlace(place.id, for: shared.name, of: count, lease: Self.lease)
        }
        let part = max(1, count / shared.replicas)
        guard answer ?? state.withLock({ $0.places < part }) else { return false }
        let renewal = Task.detached { [shared, id = place.id, clock = call.clock.forRealWork] in
            while !Task.isCancelled {
                await clock.sleep(for: Self.lease / 3)
                if Task.isCancelled { return }
                _ = try? await shared.limiter.takePlace(id, for: shared.name, of: count, lease: Self.lease)
            }
        }
        state.withLock { $0.places += 1 }
        // If the attempt was canceled meanwhile, it leaves at once.
        if !place.take(renewal) { end(place, renewal) }
        return true
    }

    /// Gives a place back, also one that was asked for without an answer.
    fileprivate func end(_ place: SharedPlace, _ renewal: Task<Void, Never>?) {
        if let renewal {
            state.withLock { $0.places -= 1 }
            renewal.cancel()
        }
        Task.detached { [shared, id = place.id] in
            // A renewal that comes after the end would take the place again.
            await renewal?.value
            try? await shared.limiter.leavePlace(id, for: shared.name)
        }
    }
}

/// The place of an attempt among those of all processes.
final class SharedPlace: Sendable {
    private struct State {
        var (isAsked, isLeft) = (false, false)
        /// Renews the lease of a place that was taken.
        var renewal: Task<Void, Never>?
    }

    let id = UUID().uuidString
    private let turns: SharedTurns
    private let state = Locked(State())

    init(_ turns: SharedTurns) { self.turns = turns }

    /// The limiter is asked for the place.
    fileprivate func ask() { state.withLock { $0.isAsked = true } }

    /// Takes the place, whose lease is renewed until it is left; false if the attempt has left.
    fileprivate func take(_ renewal: Task<Void, Never>) -> Bool {
        state.withLock { state in
            if !state.isLeft { state.renewal = renewal }
            return !state.isLeft
        }
    }

    /// Gives the place back, the first time.
    func leave() {
        let last = state.withLock { state in
            defer { (state.isLeft, state.renewal) = (true, nil) }
            return state
        }
        if last.isAsked, !last.isLeft { turns.end(self, last.renewal) }
    }
}
