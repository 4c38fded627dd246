import APIBaseKit
import HostileServer
import TestTiers
import Testing

/// The habits of real servers, row for row as the page `HabitsOfServers.md` has them.
@Suite(.limited) struct HabitsTests {
    private static let rows = [
        bodies, codings, charsets, redirects, statuses, limits, caching, changes, requests, pages,
    ]
    .flatMap(\.self)

    @Test(arguments: rows)
    func `A server with a habit of the page “Habits of servers” is met as the page says`(habit: Habit) async throws {
        try await habit.check()
    }

    @Test func `Each row of the page “Habits of servers” has a test of its name, and each test a row`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let page = root.appendingPathComponent("Sources/APIBaseKit/APIBaseKit.docc/HabitsOfServers.md").standardized
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| ") }
        let cells = lines.map { $0.components(separatedBy: " | ") }
        #expect(cells.allSatisfy { $0.count == 3 })
        let titles = cells.map { $0[0].dropFirst(2).trimmingCharacters(in: .whitespaces) }
            .filter { !["A server", "A file"].contains($0) && !$0.hasPrefix("---") }
        let tested = Self.rows.map(\.testDescription) + Self.elsewhere.map(\.title)
        #expect(Set(tested).count == tested.count)
        #expect(Set(titles).count == titles.count)
        #expect(Set(titles).subtracting(tested) == [])
        #expect(Set(tested).subtracting(titles) == [])
        #expect(titles.count >= 190)
        for row in Self.elsewhere {
            let file = root.appendingPathComponent("Tests/\(row.file)").standardized
            #expect(try String(contentsOf: file, encoding: .utf8).contains("func `\(row.test)`"), "\(row.title)")
        }
    }
}
