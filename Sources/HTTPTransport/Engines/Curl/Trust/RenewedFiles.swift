#if os(Linux) || os(Android)
import Basics
import Dispatch
import Foundation

/// The files of one setting, which may change while the session works. Their last good content stays in use until
/// there is another.
///
/// They are looked at when a connection may be made, every ``interval``, by one thread at a time, and read if they have
/// changed. Nothing is read while the lock is held, and changes are told on a queue.
final class RenewedFiles: Sendable {
    typealias Problem = CurlSession.Configuration.Problem

    /// The contents of the files, in their order.
    struct Content: Sendable {
        let parts: [Data]
        /// Another for each content.
        let number: Int
    }

    fileprivate struct State {
        var good: Content?
        var stamps: [FileStamp?] = []
        var isSettled = false
        var isLooking = false
        var nextLook: UInt64 = 0
        /// The problem that was told last; nil if the newest content is in use.
        var told: String?
    }

    /// The nanoseconds between two looks.
    fileprivate static let interval: UInt64 = 200_000_000

    private let setting: String
    private let files: [URL]
    private let check: @Sendable ([Data]) -> String?
    private let report: @Sendable (CurlSession.FileChange) -> Void
    private let reports = DispatchQueue(label: "HTTPTransport.fileChanges")
    private let state = Locked(State())

    /// - Parameters:
    ///   - setting: The name of the setting.
    ///   - files: The files, in their order.
    ///   - check: Returns the problem with the content of the files; nil without one.
    ///   - report: Is told of changes, one after another, on a queue.
    init(
        _ setting: String,
        _ files: [URL],
        check: @escaping @Sendable ([Data]) -> String?,
        report: @escaping @Sendable (CurlSession.FileChange) -> Void
    ) {
        (self.setting, self.files, self.check, self.report) = (setting, files, check, report)
    }

    /// The content for a connection that is made now.
    ///
    /// - Throws: The problem, if the files have never had a good content.
    func content() throws(Problem) -> Content {
        let (known, isDue) = state.withLock { state in
            let isDue = monotonicNanoseconds() >= state.nextLook && !state.isLooking
            if isDue { state.isLooking = true }
            return (state, isDue)
        }
        // At first, several threads may read at once, since there is nothing to use meanwhile.
        if let good = known.good, !isDue { return good }
        let stamps = files.map(FileStamp.init)
        if let good = known.good, known.isSettled, stamps == known.stamps {
            state.withLock { $0.looked() }
            return good
        }
        let found = read()
        let isSettled = stamps.allSatisfy { $0?.isSettled ?? true }
        let (result, change) = state.withLock { state in
            state.looked()
            (state.stamps, state.isSettled) = (stamps, isSettled)
            return state.take(found, of: setting)
        }
        if let change { reports.async { [report] in report(change) } }
        return try result.get()
    }

    private func read() -> Result<[Data], Problem> {
        var parts: [Data] = []
        for file in files {
            guard let data = try? Data(contentsOf: file) else {
                return .failure(Problem(setting, "\(file.path) is not there, or cannot be read"))
            }
            parts.append(data)
        }
        guard let text = check(parts) else { return .success(parts) }
        return .failure(Problem(setting, files.map(\.path).joined(separator: ", ") + ": " + text))
    }
}

extension RenewedFiles.State {
    fileprivate mutating func looked() {
        isLooking = false
        nextLook = monotonicNanoseconds() + RenewedFiles.interval
    }

    /// Takes what was read. Returns what to use now, and what there is to tell: nothing about the first content, and
    /// about the same problem again.
    fileprivate mutating func take(
        _ found: Result<[Data], RenewedFiles.Problem>,
        of setting: String
    ) -> (Result<RenewedFiles.Content, RenewedFiles.Problem>, CurlSession.FileChange?) {
        switch found {
        case .success(let parts):
            let known = good
            defer { told = nil }
            if let known, known.parts == parts {
                return (.success(known), told == nil ? nil : .init(setting: setting, problem: nil))
            }
            let new = RenewedFiles.Content(parts: parts, number: (known?.number ?? 0) + 1)
            good = new
            return (.success(new), known == nil ? nil : .init(setting: setting, problem: nil))
        case .failure(let problem):
            guard let good else { return (.failure(problem), nil) }
            defer { told = problem.text }
            return (.success(good), told == problem.text ? nil : .init(setting: setting, problem: problem.text))
        }
    }
}
#endif
