import APIBaseKit

/// Decodes each example as its type, encodes it again, and compares. Prints how many there are, decode, and come back.
struct RoundTrip {
    var (all, decoded, equal) = (0, 0, 0)

    mutating func check<Model: Codable>(_ type: Model.Type, _ examples: [String], _ name: String) {
        for example in examples {
            all += 1
            let api = CorpusAPI()
            let data = Data(example.utf8)
            do {
                let value = try api.decode(type, from: data)
                decoded += 1
                let before = try api.decode(JSONValue.self, from: data)
                let after = try api.decode(JSONValue.self, from: try api.encoder.encode(value))
                let difference = before.difference(from: after, at: "#")
                if difference == nil { equal += 1 }
                if let difference { print("  \(name): \(difference)") }
            } catch {
                print("  \(name): \(String(describing: error).prefix(200))")
            }
        }
    }
}

extension JSONValue {
    /// The first place where a value differs; `nil` if there is none. Texts of the same time are equal.
    func difference(from other: JSONValue, at pointer: String) -> String? {
        switch (self, other) {
        case (.object(let before), .object(let after)):
            for (name, value) in before.sorted(by: { $0.key < $1.key }) {
                guard let there = after[name] else { return "\(pointer)/\(name) is lost" }
                if let found = value.difference(from: there, at: "\(pointer)/\(name)") { return found }
            }
            return after.keys.first { before[$0] == nil }.map { "\(pointer)/\($0) is new" }
        case (.array(let before), .array(let after)):
            guard before.count == after.count else { return "\(pointer) has another length" }
            for (index, pair) in zip(before, after).enumerated() {
                if let found = pair.0.difference(from: pair.1, at: "\(pointer)/\(index)") { return found }
            }
            return nil
        case (.string(let before), .string(let after)):
            if before == after { return nil }
            if let time = Date(queryTexts: [before]), let other = Date(queryTexts: [after]),
                abs(time.timeIntervalSince(other)) < 0.001
            {
                return nil
            }
            return "\(pointer): “\(before.prefix(60))” is “\(after.prefix(60))”"
        default:
            if self == other || number == other.number && number != nil { return nil }
            return "\(pointer): \(self) is \(other)"
        }
    }
}
