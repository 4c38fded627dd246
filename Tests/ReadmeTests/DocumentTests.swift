import APIBaseKit
import TestTiers
import Testing

@Suite(.limited) struct DocumentTests {
    @Test func `The documentation has more than 20 articles with distinct paths`() throws {
        #expect(Document.all.count > 20)
        #expect(Set(Document.all.map(\.path)).count == Document.all.count)
    }

    @Test func `The README has at most 200 lines`() throws {
        #expect(try Document.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 201)
    }

    @Test func `The newest version of the changelog equals the version in the code`() throws {
        let changelog = try #require(Document.all.first { $0.name == "Changelog" }).text
        let newest = try #require(changelog.firstMatch(of: /\n## ([0-9.]+)/)?.1)
        #expect(newest == PackageVersion.number)
        #expect(PackageVersion.product == "APIBaseKit/\(newest)")
    }

    /// A listing is compiled in a file of the tests, which has it between marks, or is a file of the tutorial's
    /// package, or a part of a file of the service or of the replicas.
    @Test(arguments: Document.all)
    func `Each Swift listing of an article is compiled word for word`(in document: Document) throws {
        let compiled = Set(Document.samples.values.joined())
        for listing in try document.listings("swift") {
            if let (file, part) = Self.partOfExample(listing) {
                let text = try Document.text(file)
                #expect(("\n" + text).contains("\n" + part + "\n"), "\(listing)")
            } else if let file = Self.file(of: listing) {
                let text = try Document.text("Tests/Tutorial/" + file)
                #expect(listing + "\n" == text.replacingOccurrences(of: "TutorialBlog", with: "Blog"), "\(file)")
            } else {
                let sample = listing.replacingOccurrences(of: "import APIBaseKit\n\n", with: "")
                let isCompiled = compiled.contains(sample)
                #expect(isCompiled, "\(listing)")
            }
        }
    }

    /// The file of the tutorial that a listing says it is.
    private static func file(of listing: String) -> String? {
        let first = listing.prefix { $0 != "\n" }
        if first.hasPrefix("// swift-tools-version") { return "Package.swift" }
        guard first.hasPrefix("// Sources/") || first.hasPrefix("// Tests/") else { return nil }
        return String(first.dropFirst("// ".count))
    }

    /// The file of the service or of the replicas that a listing says it is of, and the listing without that.
    private static func partOfExample(_ listing: String) -> (file: String, part: String)? {
        let lines = listing.split(separator: "\n", maxSplits: 1)
        let folders = ["// Tests/Service/", "// Tests/Replicas/"]
        guard lines.count == 2, folders.contains(where: lines[0].hasPrefix) else { return nil }
        return (String(lines[0].dropFirst("// ".count)), String(lines[1]))
    }

    /// What stands between the kit and the libraries of a service is shown in its article, and is little.
    @Test func `The service article shows all nine glue files, each with at most 15 lines of code`() throws {
        let article = try #require(Document.all.first { $0.name == "InAService" })
        let shown = Set(try article.listings("swift").compactMap { Self.partOfExample($0)?.file })
        let folder = "Tests/Service/Sources/FeedService/Glue/"
        let files = try Document.files(in: folder)
        #expect(files.count == 9)
        for file in files {
            #expect(shown.contains(folder + file), "\(file)")
            let code = try Document.text(folder + file).split(separator: "\n").filter { line in
                !["import ", "#if", "#endif"].contains { line.hasPrefix($0) } && !line.contains(/^ *\/\//)
            }
            #expect(code.count <= 15, "\(file): \(code.count) lines")
        }
    }

    @Test func `Each compiled sample is shown in an article`() throws {
        let shown = Set(
            try Document.all.flatMap { try $0.listings("swift") }.map { listing in
                listing.replacingOccurrences(of: "import APIBaseKit\n\n", with: "")
            }
        )
        #expect(Document.samples.count >= 5)
        for (file, samples) in Document.samples {
            for sample in samples {
                let isShown = shown.contains(sample)
                #expect(isShown, "\(file): \(sample)")
            }
        }
    }

    @Test func `The tutorial shows every Swift file of its package`() throws {
        let tutorial = try #require(Document.all.first { $0.name == "Tutorial" })
        let shown = try tutorial.listings("swift").compactMap(Self.file).sorted()
        let folder = URL(fileURLWithPath: tutorial.folder).appendingPathComponent("../../../Tests/Tutorial").path
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        #expect(shown == files.filter { $0.hasSuffix(".swift") }.sorted())
    }

    /// So that no Swift hides in a listing without a language.
    @Test(arguments: Document.all)
    func `Each listing of an article is marked as swift, text or console`(in document: Document) throws {
        var opens = true
        for line in try document.text.split(separator: "\n") where line.hasPrefix("```") {
            if opens { #expect(["```swift", "```text", "```console"].contains(line)) } else { #expect(line == "```") }
            opens.toggle()
        }
        #expect(opens)
    }

    @Test(arguments: Document.all)
    func `Each relative link and doc link of an article leads to an existing file`(in document: Document) throws {
        let text = try document.text
        for match in text.matches(of: /\]\(([^)#]+)[^)]*\)/) where !match.1.contains("://") {
            // DocC finds a picture by its name.
            let exists = [String(match.1), "Resources/\(match.1).png"].contains { path in
                FileManager.default.fileExists(atPath: document.folder + "/" + path)
            }
            #expect(exists, "\(match.1)")
        }
        let catalogue = Document.all.filter { $0.folder == document.folder }.map(\.name)
        for match in text.matches(of: /<doc:([^>]+)>/) {
            // An article of another module has that before its name.
            let (module, name) = match.1.wholeMatch(of: /.*\/(\w+)\/(\w+)/).map { ($0.1, $0.2) } ?? ("", match.1)
            let other = "Sources/\(module)/\(module).docc/\(name).md"
            let isThere = module.isEmpty ? catalogue.contains(String(name)) : Document.exists(other)
            #expect(isThere, "\(match.1)")
        }
    }

    @Test(arguments: Document.all)
    func `Each file that an article names exists`(in document: Document) throws {
        for match in try document.text.matches(of: /`((?:Sources|Tests)\/[^`<… ]+)[^`]*`/) {
            #expect(Document.exists(String(match.1)), "\(match.1)")
        }
        // Files of a module are also named by the end of their path.
        for match in try document.text.matches(of: /`([\w+\/]+\.(?:swift|c|h))`/) where document.name != "Changelog" {
            #expect(Document.hasFile(String(match.1)), "\(match.1)")
        }
    }

    @Test func `The article HowItIsBuilt counts the files of its table correctly`() throws {
        let page = try Document.text("Sources/APIBaseKit/APIBaseKit.docc/HowItIsBuilt.md")
        let count = try #require(page.firstMatch(of: /The table names (\d+) files/))
        let table = page[..<count.range.lowerBound].split(separator: "\n").reversed().drop { !$0.hasPrefix("| 1") }
            .prefix { $0.hasPrefix("| ") }
        let files = Set(table.flatMap { $0.matches(of: /`([\w+]+\.swift)`/).map(\.1) })
        #expect(Int(count.1) == files.count)
    }

    @Test func `The article HowItIsBuilt names exactly the folders of the sources`() throws {
        let page = try Document.text("Sources/APIBaseKit/APIBaseKit.docc/HowItIsBuilt.md")
        let firstColumns = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map {
            $0.split(separator: "|")[0]
        }
        let named = firstColumns.flatMap { $0.matches(of: /`(\w+)`/).map { String($0.1) } }.sorted()
        let folders = try ["Sources", "Sources/APIBaseCore"].flatMap(Document.files).filter { !$0.contains(".") }
        #expect(named == folders.sorted())
    }

    /// The compiler keeps the core from importing a feature; only this keeps features apart.
    @Test func `The manifest gives no feature another feature as a dependency`() throws {
        let manifest = try Document.text("Package.swift")
        let lists = manifest.matches(of: /\nlet (core|features): \[Target\.Dependency\] = \[([^\]]*)\]/)
        let names = lists.map { Set($0.2.matches(of: /"(\w+)"/).map { String($0.1) }) }
        let (core, features) = (try #require(names.first), try #require(names.last))
        #expect(names.count == 2 && core.isDisjoint(with: features) && features.count >= 7)
        for feature in features {
            let target = try Regex(
                "\\.target\\(\\s*name: \"\(feature)\",\\s*dependencies: \\[([^\\]]*)\\] \\+ core",
                as: (Substring, Substring).self
            )
            let own = try #require(manifest.firstMatch(of: target)).1.matches(of: /"(\w+)"/).map { String($0.1) }
            #expect(own.contains("APIBaseCore"))
            #expect(features.isDisjoint(with: own))
        }
    }

    /// A leaf that has one of its own does not compile, and the compiler does not say why.
    @Test(arguments: ["APIBase", "JSONAPI"])
    func `The article WritingAnAPI lists exactly the member names that a subclass cannot use`(of type: String) throws {
        let page = try Document.text("Sources/APIBaseKit/APIBaseKit.docc/WritingAnAPI.md")
        let section = try #require(page.components(separatedBy: "## Names that are taken\n").last)
        let row = try #require(section.split(separator: "\n").first { $0.hasPrefix("| ``\(type)``") })
        let listed = row.split(separator: "|")[1].matches(of: /`(\w+)`/).map { String($0.1) }
        #expect(listed == listed.sorted())
        var declared = try Document.members(of: type)
        if type == "JSONAPI" { declared.subtract(try Document.members(of: "APIBase")) }
        #expect(declared.count >= 9)
        #expect(Set(listed) == declared)
    }
}
