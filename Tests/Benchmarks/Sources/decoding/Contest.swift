import Foundation
import Harness
import StrictJSON

/// One document and what is decoded from it, by both. The document is made when it is needed.
struct Contest {
    let name: String
    let prepare: () -> (bytes: Int, ours: Line, theirs: Line)

    init<Model: Decodable>(
        _ name: String,
        _ type: Model.Type,
        _ data: @autoclosure @escaping () -> Data,
        set: @escaping (JSONDecoder) -> Void = { _ in }
    ) {
        self.name = name
        prepare = {
            let foundation = JSONDecoder()
            set(foundation)
            guard let strict = StrictJSONDecoder(settingsOf: foundation) else {
                preconditionFailure("these settings are not supported")
            }
            let data = data()
            let ours = Line(name) { blackHole(try? strict.decode(type, from: data)) }
            let theirs = Line(name) { blackHole(try? foundation.decode(type, from: data)) }
            return (data.count, ours, theirs)
        }
    }

    static func all() -> [Contest] {
        let escapes =
            #"Line one\nline two\t\"quoted\" and a slash \/ and \u00e9\u4e2d\ud83d\ude00 to the end of it all"#
        let emoji = "Grüße aus Köln 👋🏽 und viele Küsse 😘😘 — 日本語のテキスト, and some more plain text behind"
        return [
            Contest("users 4 KB", [User].self, Inputs.users(10)),
            Contest("users 225 KB", [User].self, Inputs.users(530)),
            Contest("events, epoch dates", [Event].self, Inputs.events { "\(1_700_000_000 + $0 * 1000)" }) {
                $0.dateDecodingStrategy = .secondsSince1970
            },
            Contest("events, ISO dates", [Event].self, Inputs.events { #""2026-11-22T18:24:\#($0 % 50 + 10)Z""# }) {
                $0.dateDecodingStrategy = .iso8601
            },
            Contest("GeoJSON, 6 decimals", FeatureCollection.self, Inputs.places(digits: 6)),
            Contest("GeoJSON, 15 decimals", FeatureCollection.self, Inputs.places(digits: 15)),
            Contest("dictionary, 10 keys", [String: Int].self, Inputs.dictionary(10)),
            Contest("dictionary, 1,000 keys", [String: Int].self, Inputs.dictionary(1000)),
            Contest("dictionary, 100,000 keys", [String: Int].self, Inputs.dictionary(100_000)),
            Contest("nesting, 500 deep", Nest.self, Inputs.nest(500)),
            Contest("strings with escapes", [Post].self, Inputs.posts(escapes)),
            Contest("strings with emoji", [Post].self, Inputs.posts(emoji)),
            Contest("snake case", [User].self, Inputs.users(10)) { $0.keyDecodingStrategy = .convertFromSnakeCase },
            Contest("error in the first element", [Strict].self, Inputs.elements(wrong: [0])),
            Contest("error in the last element", [Strict].self, Inputs.elements(wrong: [99])),
            Contest("errors in all elements", [Lossy<Strict>].self, Inputs.elements(wrong: Set(0..<100))),
        ]
    }
}
