// swift-format-ignore-file
// The samples of the article on apps, in its order.

import APIBaseTesting
import TestTiers
import Testing

#if canImport(SwiftUI)
import SwiftUI
#endif

// sample x
@MainActor final class BookList: ObservableObject {
    @Published private(set) var books: [Book] = []
    @Published private(set) var problem: String?
    /// Where calls go: to the network, or to the stubs of a preview.
    private let scope: CallScope

    init(in scope: CallScope = .here) { self.scope = scope }

    func load() async {
        await show { try await BooksAPI.books().value() }
    }

    func search(_ text: String) async {
        await show {
            try await CallScope.sleep(for: .milliseconds(300))
            return try await BooksAPI(.get("/books", query: ["q": text])).value(of: [Book].self)
        }
    }

    private func show(_ load: () async throws -> [Book]) async {
        do {
            books = try await scope.run(load)
            problem = nil
        } catch is CancellationError {
            // The view has gone, or the user has typed on: what is there stays.
        } catch {
            problem = error.localizedDescription
        }
    }
}
// end

#if canImport(SwiftUI)
// sample x
struct BookListView: View {
    @StateObject var list = BookList()
    @State private var text = ""

    var body: some View {
        NavigationStack {
            List(list.books, id: \.id) { Text($0.title) }
                .overlay { if let problem = list.problem { Text(problem) } }
                .searchable(text: $text)
                .task(id: text) { await (text.isEmpty ? list.load() : list.search(text)) }
                .refreshable { await list.load() }
        }
    }
}

struct BookListPreviews: PreviewProvider {
    static var previews: some View {
        let stubs = Stubs()
        stubs.on(.get, "/books").answer(.json(#"[{"id": 7, "title": "Swift"}]"#).delayed(by: .seconds(1)))
        return BookListView(list: BookList(in: stubs.scope))
    }
}
// end
#endif

// sample x
final class CoverImageRequest: BooksAPI, Request {
    typealias ModelType = Data
    static let images = ResponseCache()

    init(of book: Int) {
        super.init(.get("/books/\(segment: book)/cover"))
        acceptedTypes = ["image/*"]
        cache = Self.images
    }
}
// end

// sample x
final class AddCoverRequest: BooksAPI, Request {
    typealias ModelType = Void
    init(_ photo: URL, of book: Int) {
        super.init(.put("/books/\(segment: book)/cover", content: .file(photo)))
        timeout = .seconds(600)
    }
}

@MainActor final class CoverUpload: ObservableObject {
    @Published private(set) var fraction = 0.0

    func send(_ photo: URL, of book: Int) async throws {
        for try await step in AddCoverRequest(photo, of: book).eachProgress() {
            if case .sent(let bytes, let all) = step, all > 0 { fraction = Double(bytes) / Double(all) }
        }
    }
}
// end

@MainActor @Suite(.limited) struct AppSampleTests {
    @Test(.stubs { stubs in
        stubs.on(.get, "/books", query: ["q": "lin"]).answer(.json([Book(id: 8, title: "Linux")]))
        stubs.on(.get, "/books").answer(inOrder: .json([Book(id: 7, title: "Swift")]), .status(503))
    })
    func `The screen of the article on apps loads, searches, and says what has failed`() async {
        let list = BookList()
        await list.load()
        #expect(list.books.map(\.title) == ["Swift"])
        await list.search("lin")
        #expect(list.books.map(\.title) == ["Linux"])
        await list.load()
        #expect(list.problem?.contains("503") == true)
        #expect(list.books.map(\.title) == ["Linux"])
    }

    @Test func `A screen with the scope of stubs makes its calls there, as a preview does`() async {
        let stubs = Stubs()
        stubs.on(.get, "/books").answer(.json([Book(id: 7, title: "Swift")]))
        let list = BookList(in: stubs.scope)
        await list.load()
        #expect(list.books.count == 1)
    }

    @Test(.stubs { $0.on(.get, "/books").optional().answer(.never) })
    func `Canceling the task of a screen leaves what is there, without a problem`() async {
        let list = BookList()
        let load = Task { await list.load() }
        load.cancel()
        await load.value
        #expect(list.problem == nil)
    }

    @Test(.stubs { stubs in
        stubs.on(.put, "/books/7/cover", headers: ["Content-Type": "image/png"]).answer(.status(204))
        stubs.on(.get, "/books/7/cover").answer(.status(200, headers: ["Content-Type": "image/png"], data: Data([1])))
    })
    func `The upload of the article on apps sends a file with its type, and shows all of it as sent`() async throws {
        let photo = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
        try Data(repeating: 7, count: 1_000).write(to: photo)
        defer { try? FileManager.default.removeItem(at: photo) }
        let upload = CoverUpload()
        try await upload.send(photo, of: 7)
        #expect(upload.fraction == 1)
        #expect(try await CoverImageRequest(of: 7).value() == Data([1]))
    }
}
