/// The requests and responses of one connection, one after the other.
struct HTTPExchange {
    let connection: SocketConnection
    let limits: HTTPLimits
    let date: HTTPDate
    let handler: HTTPServer.Handler

    /// Serves until the client or a limit ends it.
    func run() {
        var goesOn = true
        while goesOn {
            do {
                guard let request = try nextRequest() else { return }
                goesOn = request.wantsToStay
                try respond(handler(request), to: request, keepAlive: &goesOn)
            } catch let fault as HTTPFault {
                return refuse(fault)
            } catch {
                return
            }
        }
        linger()
    }

    /// Answers, and closes in a way that lets the client read the answer.
    private func refuse(_ fault: HTTPFault) {
        var goesOn = false
        guard (try? respond(fault.response, to: nil, keepAlive: &goesOn)) != nil else { return }
        linger()
    }

    /// Ends the stream and throws away what the client still sends: closing on unread bytes would reset the connection
    /// and may take the answer with it (RFC 9112, section 9.6).
    private func linger() {
        connection.finishWriting()
        let deadline = ContinuousClock.now + limits.lingerTime
        while let bytes = try? connection.read(before: deadline), !bytes.isEmpty, .now < deadline {}
    }
}

extension ServerRequest {
    /// Whether the client wants the connection kept (RFC 9112, section 9.3).
    fileprivate var wantsToStay: Bool {
        let options = headers.tokens(for: "Connection")
        return !options.contains("close") && (httpVersion == "1.1" || options.contains("keep-alive"))
    }
}
