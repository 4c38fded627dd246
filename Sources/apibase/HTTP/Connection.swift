import APIBaseKit

/// What was said about the way to the server.
struct Connection: Hashable {
    /// The file with the authorities that are trusted in place of the system's.
    var authorities: String?
    /// The file with the certificate that is shown to the server.
    var certificate: String?
    /// The file with its key; `nil` if that is in the same file.
    var key: String?
    var proxy: Secret?
    /// The addresses to connect to for `host:port`.
    var addresses: [String: [String]] = [:]
}

extension Connection {
    /// From the arguments of a command that makes calls.
    init(_ arguments: Arguments) throws(UsageError) {
        authorities = arguments.value(.authorities)
        certificate = arguments.value(.certificate)
        key = arguments.value(.key)
        proxy = arguments.value(.proxy).map(Secret.init)
        addresses = try Self.addresses(arguments)
        if key != nil, certificate == nil { throw .needs(Option.key.name, Option.certificate.name) }
    }

    private static func addresses(_ arguments: Arguments) throws(UsageError) -> [String: [String]] {
        guard let text = arguments.value(.address) else { return [:] }
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, UInt16(parts[1]) != nil, !parts[2].isEmpty else {
            let expected = "HOST:PORT:ADDRESS, such as example.com:443:127.0.0.1"
            throw .badValue(option: Option.address.name, value: text, expected: expected)
        }
        return ["\(parts[0]):\(parts[1])": parts[2].split(separator: ",").map(String.init)]
    }
}

extension Option {
    static let authorities = Option("--cacert", value: "FILE", "trust the authorities in FILE (PEM), and no others")
    static let certificate = Option("--cert", value: "FILE", "the certificate to show to the server (PEM)")
    static let key = Option("--key", value: "FILE", "the key of the certificate (PEM), if it is in another file")
    static let proxy = Option("--proxy", value: "URL", "go through this proxy; also env:NAME or file:PATH")
    static let address = Option(
        "--resolve",
        value: "HOST:PORT:ADDRESS",
        "connect to ADDRESS for HOST and PORT, whatever the name resolves to"
    )
}
