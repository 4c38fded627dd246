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
            case ("file", 2): try await (Copy.task(words[1]) as FileTransfer).run()
            case ("block", 2): try Copy.answer(try await (Copy.task(words[1]) as Blocking).run())
            case ("memory", 1): try await MemoryTable().run()
            case ("leftovers", 1): try await LeftoverTable().run()
            case ("features", 1): FeatureTable().run()
            case ("cache", 1): try CacheTable().run()
            case ("scope", 1): ScopeTable().run()
            case ("files", _): try await FilesTable(options: options(words.dropFirst())).run()
            case ("threads", _): try await ThreadsTable(options: options(words.dropFirst())).run()
            case ("blocking", _): try await BlockingTable(options: options(words.dropFirst())).run()
            default: try await Tournament(options: options(words[...])).run()
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    /// What the words ask for. Where they cannot be understood, it ends with the help.
    private static func options(_ words: ArraySlice<String>) -> Options {
        if let options = Options(words) { return options }
        print(Options.help)
        exit(2)
    }
}
