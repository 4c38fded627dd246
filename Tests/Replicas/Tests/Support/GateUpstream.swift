import Foundation
import Synchronization

@testable import LoopbackServer

/// An upstream that notes when each replica has called.
public final class GateUpstream: Sendable {
    /// A call, in seconds since 1970.
    public typealias Arrival = (replica: String, time: Double)

    private struct State {
        var arrivals: [Arrival] = []
        var (current, most) = (0, 0)
    }

    private let mutex = Mutex(State())
    private let server = Mutex<HTTPServer?>(nil)

    /// Starts it.
    ///
    /// - Parameter duration: How long it takes for an answer.
    /// - Throws: The error of the system.
    public init(takes duration: Duration = .zero) throws {
        let new = try HTTPServer { [weak self] request in
            self?.begin(request.headers["X-Replica"] ?? "")
            if duration > .zero { Thread.sleep(forTimeInterval: duration / .seconds(1)) }
            self?.mutex.withLock { $0.current -= 1 }
            return .json(Data(#""done""#.utf8))
        }
        server.withLock { $0 = new }
    }

    /// Where it is.
    public var url: URL? { server.withLock { $0?.url } }

    /// All calls so far, in their order.
    public var arrivals: [Arrival] { mutex.withLock { $0.arrivals } }

    /// The greatest number of calls at a time.
    public var most: Int { mutex.withLock { $0.most } }

    private func begin(_ replica: String) {
        let time = Date().timeIntervalSince1970
        mutex.withLock { state in
            state.arrivals.append((replica, time))
            state.current += 1
            state.most = max(state.most, state.current)
        }
    }
}
