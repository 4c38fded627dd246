import Foundation
import OpenAPIDocument
import Testing

@testable import APIBaseGenerator

/// The four API libraries of the package, beside what the generator makes of a document for each.
@Suite struct HandwrittenAPIComparisonTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func generated(_ document: String) throws -> Generated {
        let file = Self.root.appendingPathComponent("Tests/Generator/APIs/\(document).json")
        return try Generated(try String(contentsOf: file, encoding: .utf8))
    }

    private func written(_ library: String) throws -> String {
        let folder = Self.root.appendingPathComponent("Sources/\(library)")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
    }

    /// The leaves of a text: the name, the result, the method and the path of each.
    private func leaves(of code: String) -> Set<[String]> {
        let leaf =
            /final class (\w+): \w+, Request \{(?:(?!final class)[\s\S])*?ModelType = ([^\n]+)[\s\S]*?\.(get|post|put|delete)\("([^\n]*?)"[,)]/
        // By hand, the segments have no names.
        let code = code.replacing(/(\(segment: \w+), named: "\w+"\)/) { "\($0.1))" }
        return Set(code.matches(of: leaf).map { [String($0.1), String($0.2), String($0.3), String($0.4)] })
    }

    /// By hand, the endpoints of comments, albums and photos are functions of the class.
    @Test
    func `The 35 requests generated for JSONPlaceholder equal the handwritten ones in path and result type`() throws {
        let library = try written("JSONPlaceholder")
        let (made, written) = (try leaves(of: generated("jsonplaceholder").requests), leaves(of: library))
        #expect(made.count == 35)
        #expect(written.count == 17)
        #expect(written.isSubset(of: made))
        let call = /-> APICall<([^\n]*)> \{\s+JSONPlaceholderAPI\(\.(\w+)\("([^\n]*?)"[,)]/
        let calls = library.matches(of: call).map { [String($0.1), String($0.2), String($0.3)] }
        let others = made.subtracting(written).map { Array($0.dropFirst()) }
        #expect(withoutNames(calls) == withoutNames(others))
    }

    /// The endpoints, without the names of their arguments, and sorted.
    private func withoutNames(_ endpoints: [[String]]) -> [String] {
        endpoints.map { $0.joined(separator: " ").replacing(/\(segment: \w+\)/, with: "()") }.sorted()
    }

    /// By hand, the log-in takes its result out of an envelope, and the token goes through the initializers.
    @Test func `The requests generated for the todo demo equal the handwritten ones except LoginRequest`() throws {
        let (made, written) = (try leaves(of: generated("todo-demo").requests), try leaves(of: written("TodoDemo")))
        #expect(made.subtracting(written).map(\.[0]) == ["LoginRequest"])
        #expect(written.subtracting(made).isEmpty)
        let code = try generated("todo-demo").requests
        #expect(code.contains("authorization = nil") && code.contains("authorization = password"))
    }

    /// By hand, there is a second list, which leaves out what does not decode.
    @Test func `The requests generated for Unsplash equal the handwritten ones except LenientPhotosRequest`() throws {
        let (made, written) = (try leaves(of: generated("unsplash").requests), try leaves(of: written("Unsplash")))
        #expect(made.count == 4)
        #expect(made.isSubset(of: written))
        #expect(written.subtracting(made).map(\.[0]) == ["LenientPhotosRequest"])
    }

    /// By hand, a chart is a value, and the feed is taken out of its envelope.
    @Test func `The request generated for the Apple RSS feed has the path of the handwritten one`() throws {
        let path =
            #"/\(segment: country)/\(segment: media)/\(segment: chart)/\(segment: count)/\(segment: type).json"#
        let leaf = try #require(leaves(of: generated("apple-rss").requests).first)
        #expect(leaf.last == "/api/v2" + path)
        // By hand, the first two parts are in the base URL, and the chart is its name.
        let library = try written("AppleRSS")
        #expect(library.contains(#"applemarketingtools.com/api/v2""#))
        #expect(library.contains(path.replacing("chart", with: "name")))
    }

    /// The page shows a leaf as it is generated.
    @Test func `The listing of GetBookRequest in the documentation equals the generated code`() throws {
        let page = Self.root.appendingPathComponent("Sources/APIBaseKit/APIBaseKit.docc/GeneratingAnAPI.md")
        let listings = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```")
        let leaf = try #require(listings.first { $0.contains("class GetBookRequest") }).dropFirst("text\n".count)
        let file = Self.root.appendingPathComponent("Tests/Generator/Documents/bookshop.json")
        let code = try Generated(try String(contentsOf: file, encoding: .utf8)) { $0.name = "Bookshop" }
        #expect(code.requests.contains(leaf))
    }
}
