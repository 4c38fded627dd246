// swift-format-ignore-file
// The samples about the inspector.

import APIBaseInspector
import APIBaseKit
import APIBaseTesting
import TestTiers
import Testing

// sample api
class LibraryAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://library.example/v2") }

    override func report(_ event: CallEvent) { Inspector.current?.report(event) }
}
// end

/// The inspector of the process, which no other test starts.
@Suite(.limited) struct InspectorSampleTests {
    private final class ShelfRequest: LibraryAPI, Request {
        typealias ModelType = [Int]

        override init() {
            super.init()
            path = "shelf"
        }
    }

    @Test func `The page of the started inspector receives a call as an event`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/shelf").answer(.json("[1]"))
        #expect(Inspector.current == nil)
        _ = try await stubs.run { try await ShelfRequest().value() }
// sample start
let inspector = try Inspector.start()
// end
        #expect(Inspector.current === inspector)
        var lines: [String] = []
        let same = try Inspector.start { lines.append($0) }
        #expect(same === inspector)
        #expect(lines.isEmpty)
        _ = try await stubs.run { try await ShelfRequest().value() }
        let page = APIBase()
        page.baseURL = URL(string: "/events", relativeTo: inspector.url)?.absoluteURL
        page.authorization = .bearer(String(inspector.url.fragment?.dropFirst(2) ?? ""))
        for try await event in page.eachEvent() where event.data.contains(#""ended""#) {
            #expect(event.data.contains(#"["ShelfRequest","LibraryAPI","JSONAPI"]"#))
            break
        }
        inspector.stop()
        #expect(Inspector.current == nil)
    }
}
