import APIBaseKit
import AppleRSS

/// `apibase apps`.
struct Apps: APICall {
    static let api = API.appleRSS

    let country: String
    let count: Int

    func run(_ output: CallOutput, anyKey: Bool) async throws {
        let feed = try await TopFreeAppsRequest(country: country, count: count).value()
        try output.show(feed.results) { "\($0.name), by \($0.artistName)" }
    }
}

extension Command {
    static let apps = Command.api(
        "apps",
        summary: "Apple RSS: the free apps people get most",
        options: [.country, .count]
    ) { arguments throws(UsageError) in
        Apps(country: try arguments.country ?? "us", count: try arguments.number(.count, in: 1...100) ?? 10)
    }
}

extension Arguments {
    /// The two letters of a country.
    fileprivate var country: String? {
        get throws(UsageError) {
            guard let text = value(.country) else { return nil }
            guard text.count == 2, text.allSatisfy({ $0.isASCII && $0.isLetter }) else {
                throw .badValue(
                    option: Option.country.name,
                    value: text,
                    expected: "the two letters of a country"
                )
            }
            return text.lowercased()
        }
    }
}

extension Option {
    fileprivate static let country = Option("--country", value: "CC", "which store (us)")
    fileprivate static let count = Option("--count", value: "N", "how many (10)")
}
