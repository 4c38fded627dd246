import APIBaseKit
import HostileServer

/// Holds the first head that is told until the test lets it go.
final class HeldHead: CallWatcher {
    let isHeld = Later<Void>()
    private let gate = DispatchSemaphore(value: 0)

    func report(_ event: CallEvent) {
        guard case .head = event, !isHeld.isSet else { return }
        isHeld.set()
        _ = gate.wait(timeout: .now() + 120)
    }

    func letGo() { gate.signal() }
}
