import APIBaseKit
import HostileServer
import Testing

/// The habits of real servers, row for row as the page `HabitsOfServers.md` has them.
@Suite(.timeLimit(.minutes(1))) struct HabitsTests {
    private static let rows = [
        bodies, codings, charsets, redirects, statuses, limits, caching, changes, requests,
    ]
    .flatMap(\.self)

    @Test(arguments: rows)
    func `A server with a habit of the page “Habits of servers” is met as the page says`(habit: Habit) async throws {
        try await habit.check()
    }

    /// Rows of the page whose habit takes more than bytes over a socket: the title, and the file and the name of the
    /// test that holds it.
    private static let elsewhere: [(title: String, file: String, test: String)] = [
        (
            "A host with a zone, `[fe80::1%25eth0]`", "HTTPTransportTests/Engines/Curl/CurlConnectTests.swift",
            "A host with an IPv6 zone is reached, and the zone is not sent in the Host header"
        ),
        (
            "A download in a coding that is not known", "HTTPTransportTests/Engines/Curl/CurlCodingTests.swift",
            "A body in no coding, an unknown one or several arrives as it was sent"
        ),
    ]

    @Test func `Each row of the page “Habits of servers” has a test of its name, and each test a row`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let page = root.appendingPathComponent("Sources/APIBaseKit/APIBaseKit.docc/HabitsOfServers.md").standardized
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| ") }
        let cells = lines.map { $0.components(separatedBy: " | ") }
        #expect(cells.allSatisfy { $0.count == 3 })
        let titles = cells.map { $0[0].dropFirst(2).trimmingCharacters(in: .whitespaces) }
            .filter { $0 != "A server" && !$0.hasPrefix("---") }
        let tested = Self.rows.map(\.testDescription) + Self.elsewhere.map(\.title)
        #expect(Set(tested).count == tested.count)
        #expect(Set(titles).count == titles.count)
        #expect(Set(titles).subtracting(tested) == [])
        #expect(Set(tested).subtracting(titles) == [])
        #expect(titles.count >= 80)
        for row in Self.elsewhere {
            let file = root.appendingPathComponent("Tests/\(row.file)").standardized
            #expect(try String(contentsOf: file, encoding: .utf8).contains("func `\(row.test)`"), "\(row.title)")
        }
    }
}
