// swift-format-ignore-file
// The samples of the documentation of StrictJSON, in its order.

import Foundation
import StrictJSON
import Testing

private struct User: Decodable {
    var firstName: String?
}

private func users(in data: Data) throws -> [User] {
// sample x
let decoder = StrictJSONDecoder()
decoder.keyDecodingStrategy = .convertFromSnakeCase
let users = try decoder.decode([User].self, from: data)
// end
    return users
}

private func users(in data: Data, as foundation: JSONDecoder) throws -> [User] {
// sample x
guard let decoder = StrictJSONDecoder(settingsOf: foundation) else {
    return try foundation.decode([User].self, from: data)  // JSON5, a subclass, or a newer strategy
}
// end
    return try decoder.decode([User].self, from: data)
}

struct StrictJSONSampleTests {
    private let data = Data(#"[{"first_name": "A"}]"#.utf8)

    @Test func `The sample of StrictJSONDecoder decodes keys in snake case`() throws {
        #expect(try users(in: data).map(\.firstName) == ["A"])
    }

    @Test func `The sample of StrictJSONDecoder falls back to JSONDecoder when JSON5 is allowed`() throws {
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try users(in: data, as: foundation).map(\.firstName) == ["A"])
        foundation.allowsJSON5 = true
        #expect(try users(in: Data("[{first_name: 'A'}]".utf8), as: foundation).map(\.firstName) == ["A"])
    }
}
