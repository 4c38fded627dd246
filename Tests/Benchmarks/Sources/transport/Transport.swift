import Foundation

/// Measures HTTP clients side by side: libcurl in C, this package's session on it, the kit, AsyncHTTPClient, URLSession.
@main
struct Transport {
    static func main() async {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            switch (words.first, words.count) {
            case ("job", 2): try Copy.answer(try await (Copy.task(words[1]) as Job).run())
            case ("large", 2): try Copy.answer(try await (Copy.task(words[1]) as Large).run())
            case ("memory", 1): try await MemoryTable().run()
            case ("scope", 1): ScopeTable().run()
            default:
                guard let options = Options(words) else { return print(Options.help) }
                try await Tournament(options: options).run()
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
