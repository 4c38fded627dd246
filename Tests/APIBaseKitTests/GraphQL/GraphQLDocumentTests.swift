import APIBaseKit
@testable import APIBaseGraphQL
import Testing

@Suite struct GraphQLDocumentTests {
    @Test(arguments: [
        ("{ hero }", ["query -"]),
        ("query { hero }", ["query -"]),
        ("query Hero { hero }", ["query Hero"]),
        ("mutation Add($x: Int = 1) { add(x: $x) }", ["mutation Add"]),
        ("subscription S{s}", ["subscription S"]),
        ("query($id: ID!) { query mutation }", ["query -"]),
        ("query @live { hero }", ["query -"]),
        ("query,Hero{hero}", ["query Hero"]),
        ("\u{FEFF}query\tHero\r\n{ hero }", ["query Hero"]),
        ("# query Wrong\nquery # Wrong\n Hero # no }\n{ hero }", ["query Hero"]),
        ("# a\r# query B {\rquery C { c }", ["query C"]),
        ("fragment F on Hero { name } query Hero { hero { ...F } }", ["query Hero"]),
        ("fragment query on mutation { name } mutation M { m }", ["mutation M"]),
        ("fragment F on T @a(x: {y: 1}) { query } query Q { q }", ["query Q"]),
        ("query A($o: In = {query: \"}{\"}) @d(a: [{b: 1}]) { a } mutation B { b }", ["query A", "mutation B"]),
        (#"{ a(text: "} query X { \" # { ") } query B { b }"#, ["query -", "query B"]),
        (#"{ a(text: """ } query X { \""" " "" { """) } query B { b }"#, ["query -", "query B"]),
        (#"{ a(text: "") } query B { b }"#, ["query -", "query B"]),
        (#"{ a(text: """""") } query B { b }"#, ["query -", "query B"]),
        (#"{ a(text: """a\\""") } query B { b }"#, ["query -"]),
        ("{ a(text: \"unclosed\n) } query B { b }", ["query -", "query B"]),
        ("query _q1 { a } query query { b }", ["query _q1", "query query"]),
        ("", []), ("}}} query A { a }", ["query A"]), ("query", ["query -"]), ("\"", []), ("\"\"\"", []),
        ("\"\\", []), ("\"\"\"\\", []), ("queryHero { a }", []), ("{{{{", ["query -"]),
    ])
    func `The operations of a GraphQL document are found with their kind and name`(document: String, expected: [String])
    {
        let found = GraphQLDocument.operations(in: document).map { "\($0.kind) \($0.name ?? "-")" }
        #expect(found == expected)
    }
}
