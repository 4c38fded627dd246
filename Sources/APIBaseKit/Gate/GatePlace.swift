import Basics

/// A place at a gate, as the code of the attempt that holds it knows it.
struct GatePlace: Sendable {
    /// The places that the running code holds, as a part of attempts. A call that is made there does not wait at those gates: the
    /// place that it would wait for may be that of the attempt that waits for it.
    @TaskLocal static var held: [GatePlace] = []

    private let line: ObjectIdentifier
    private let isFree = Locked(false)

    init(in line: GateLine) { self.line = ObjectIdentifier(line) }

    /// Whether it has not been given back: what the attempt has started may outlive it.
    var isHeld: Bool { !isFree.withLock { $0 } }

    /// Whether it is held, and at this line.
    func isHeld(in line: GateLine) -> Bool { self.line == ObjectIdentifier(line) && isHeld }

    /// Gives it back; true the first time.
    func giveBack() -> Bool {
        isFree.withLock { isFree in
            defer { isFree = true }
            return !isFree
        }
    }
}
