import APIBaseInspector
import APIBaseKit

/// The page that shows the calls of a command, for `--inspect`.
struct LivePage {
    private let inspector: Inspector

    /// Starts the page. From now on, it shows all calls of the process.
    init(_ output: Output) throws {
        inspector = try Inspector.start { output.error($0) }
        CallObserver.current = { [inspector] in inspector.report($0) }
    }

    /// Keeps the page until Control-C.
    func stayOpen(_ output: Output) async {
        let interruption = SignalHandler.interruption()
        output.error("Press Control-C to close the page.")
        for await _ in interruption {}
        CallObserver.current = nil
        inspector.stop()
    }
}
