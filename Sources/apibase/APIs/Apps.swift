import APIBaseKit
import AppleRSS

struct Apps: APICommand {
    static let api = API.appleRSS

    let country: String
    let count: Int

    func run(_ output: CallOutput) async throws {
        let feed = try await TopFreeAppsRequest(country: country, count: count).value()
        try output.show(feed.results) { "\($0.name), by \($0.artistName)" }
    }
}

extension Command {
    static let apps = Command.api("apps", summary: "Apple RSS: list the top free apps", options: [.country, .count]) {
        let country = try $0.value(.country, expected: "a two-letter country code") { text in
            text.count == 2 && text.allSatisfy { $0.isASCII && $0.isLetter } ? text.lowercased() : nil
        }
        return Apps(country: country ?? "us", count: try $0.number(.count, in: 1...100) ?? 10)
    }
}

extension Option {
    fileprivate static let country = Option("--country", value: "CC", "the country of the store (us)")
    fileprivate static let count = Option("--count", value: "N", "the number of apps (10)")
}
