import Basics

/// A place at a gate, as the code of the attempt that holds it knows it.
struct GatePlace: Sendable {
    private let line: ObjectIdentifier
    private let isFree = Locked(false)

    init(in line: GateLine) { self.line = ObjectIdentifier(line) }

    /// Whether it is at this line, and has not been given back: what the attempt has started may outlive it.
    func isHeld(in line: GateLine) -> Bool { self.line == ObjectIdentifier(line) && !isFree.withLock { $0 } }

    /// Gives it back; true the first time.
    func giveBack() -> Bool {
        isFree.withLock { isFree in
            defer { isFree = true }
            return !isFree
        }
    }
}

/// The places that the running code holds, as a part of attempts. A call that is made there does not wait at those gates: the
/// place that it would wait for may be that of the attempt that waits for it.
enum HeldPlaces: CallLocal {
    static let initial: [GatePlace] = []
}
