import Basics

/// The parameters of permessage-deflate that both ends agreed on (RFC 7692, section 7.1).
struct SocketCompression: Hashable, Sendable {
    /// The extension to offer.
    static let offer = "permessage-deflate; client_max_window_bits"

    /// Whether each message is compressed without reference to those before it.
    var serverHasNoContext = false, clientHasNoContext = false
    /// The window for each direction: 2 to this power bytes.
    var serverWindow = 15, clientWindow = 15

    init() {}

    /// The parameters in an element of `Sec-WebSocket-Extensions`; `nil` if it is not a valid answer to the offer.
    init?(answer: String) {
        let parts = answer.parts(at: ";")
        guard parts[0].equalsIgnoringCase("permessage-deflate") else { return nil }
        var names: Set<String> = []
        for part in parts.dropFirst() {
            let parameter = part.parts(at: "=")
            let (name, value) = (parameter[0].lowercasedASCII(), parameter.dropFirst().joined(separator: "="))
            let window = (8...15).first { value == "\($0)" || value == "\"\($0)\"" }
            guard names.insert(name).inserted else { return nil }
            switch (name, window) {
            case ("server_no_context_takeover", nil) where parameter.count == 1: serverHasNoContext = true
            case ("client_no_context_takeover", nil) where parameter.count == 1: clientHasNoContext = true
            case ("server_max_window_bits", let window?): serverWindow = window
            case ("client_max_window_bits", let window?): clientWindow = window
            default: return nil
            }
        }
    }
}
