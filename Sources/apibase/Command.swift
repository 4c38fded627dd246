import APIBaseKit

/// What the command line asks for.
enum Command: Equatable {
    case demo
    case serve(host: String, port: UInt16)
    case call(Call, Options)
    /// Another command, with a recording between it and the network.
    indirect case recorded(Command, RecordingFile)
    case help
    case version

    /// What all calls have in common.
    struct Options: Equatable {
        var target: Target
        var json: Bool

        /// One of these options that was given.
        fileprivate var named: String? {
            switch target {
            case .live: "--live"
            case .url: "--base-url"
            case .demoServer: json ? "--json" : nil
            }
        }
    }

    init(_ list: [String]) throws(UsageError) {
        var arguments = Arguments(list)
        if arguments.flag("--help") || arguments.flag("-h") {
            self = .help
            return
        }
        if arguments.flag("--version") {
            self = .version
            return
        }
        let (out, replay) = (try arguments.option("--out"), try arguments.option("--replay"))
        let options = try Options(&arguments)
        var name = try arguments.next() ?? "demo"
        let isRecorded = name == "record"
        if isRecorded { name = try arguments.next() ?? "demo" }
        let file = try RecordingFile(isRecorded: isRecorded, out: out, replay: replay)
        switch name {
        case "demo": self = .demo
        case "help": self = .help
        case "serve":
            let port = try arguments.number("--port", in: 0...Int(UInt16.max)) ?? 8080
            self = .serve(host: try arguments.option("--host") ?? "127.0.0.1", port: UInt16(port))
        default: self = .call(try Call(name, &arguments), options)
        }
        if !isCall, let name = options.named { throw .unknownOption(name) }
        try arguments.end()
        guard let file else { return }
        guard isCall || self == .demo else { throw .notTogether(file.word, name) }
        self = .recorded(self, file)
    }

    private var isCall: Bool {
        if case .call = self { true } else { false }
    }
}

extension Command.Options {
    init(_ arguments: inout Arguments) throws(UsageError) {
        let live = arguments.flag("--live")
        let base = try arguments.option("--base-url")
        json = arguments.flag("--json")
        switch (live, base) {
        case (true, _?): throw .notTogether("--live", "--base-url")
        case (true, nil): target = .live
        case (false, nil): target = .demoServer
        case (false, let text?):
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host != nil
            else {
                throw .badValue(
                    option: "--base-url",
                    value: text,
                    expected: "an absolute URL, such as http://localhost:8080"
                )
            }
            target = .url(url)
        }
    }
}
