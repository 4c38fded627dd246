import Basics

/// A place at a gate, as the code of the attempt that holds it knows it.
struct GatePlace: HeldPlace {
    private let line: ObjectIdentifier
    private let isFree = Locked(false)

    init(in line: GateLine) { self.line = ObjectIdentifier(line) }

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
