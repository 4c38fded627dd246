import APIBaseKit
import DemoServer

/// The server that the article's code talks to, on a free port, for as long as the tests run.
let demoServer: (url: URL, server: DemoAPIServer) = {
    let server = DemoAPIServer()
    do {
        return (try server.start(), server)
    } catch {
        preconditionFailure("The demo server does not start: \(error)")
    }
}()
