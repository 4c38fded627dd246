import APIBaseKit
import TestTiers
import Testing

@testable import apibase

@Suite(.limited) struct PhotosTests {
    @Test func `The photos command with --show draws pictures only on a color terminal and without --json`() async {
        let call = ["photos", "--show", "--per-page", "2"]
        let plain = await run(call)
        #expect(plain.code == 0)
        #expect(plain.lines.count == 2)
        #expect(!plain.output.contains("\u{1B}"))
        #expect(await run(call, on: .make(hasColors: false)) == plain)
        let shown = await run(call, on: .make())
        let pictures = shown.lines.filter { $0.hasPrefix("\u{1B}[38;2;") }
        #expect(pictures.count >= 2)
        #expect(pictures.allSatisfy { $0.count { $0 == "▀" } == 24 })
        #expect(shown.lines.filter { !$0.hasPrefix("\u{1B}") } == plain.lines)
        #expect(!(await run(call + ["--json"], on: .make())).output.contains("▀"))
    }

    @Test
    func `The photos command saves photos to the folder of --out, and exits with 1 if that is a file`() async throws {
        let lab = try Lab()
        let outcome = await run("photos", "--out", lab.folder.path, "--per-page", "2")
        #expect(outcome.code == 0)
        #expect(outcome.lines.count == 2)
        let names = try lab.names
        #expect(Set(names) == Set(outcome.lines.map { "\($0.prefix { $0 != "\t" }).svg" }))
        for name in names {
            #expect(try lab.data(name).starts(with: Data("<svg ".utf8)))
            #expect(outcome.errors.contains("\(name): "))
        }
        let made = await run("photos", "--out", lab.path("made"), "--per-page", "1")
        #expect(made.code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: lab.path("made")).count == 1)
        let file = lab.path(names[0])
        let refused = await run("photos", "--out", file, "--per-page", "1")
        #expect(refused.code == 1)
        #expect(refused.errors == "apibase: There is no folder “\(file)”.\n")
    }

    @Test func `The report of apibase without arguments has pictures and colored bars on a color terminal`() async {
        let report = await run([], on: .make(120))
        #expect(report.code == 0)
        #expect(report.lines.filter { $0.contains("▀") }.count == 5)
        #expect(report.output.contains("ms \u{1B}[36m"))
        #expect(report.output.contains("apibase --help"))
    }
}
