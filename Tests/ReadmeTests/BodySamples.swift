// swift-format-ignore-file
// The samples of the article on bodies, in its order.

import APIBaseTesting

// sample x
final class AnnotateBookRequest: BooksAPI, Request {
    typealias ModelType = Void
    init(id: Int, note: String) {
        super.init(.post("/books/\(segment: id)/notes", json: ["value": note]))
        contentType = "application/ld+json"
    }
}
// end

// sample x
struct BookChange: nonisolated Encodable {
    @Patch var title: String?
    @Patch var subtitle: String?
}

extension BookChange {
    /// A new title, without the subtitle.
    init(newTitle: String) {
        title = newTitle
        subtitle = nil
    }
}

final class ChangeBookRequest: BooksAPI, Request {
    typealias ModelType = Book
    init(id: Int, _ change: BookChange) {
        super.init(.patch("/books/\(segment: id)", content: .mergePatch(change)))
    }
}

final class TagBookRequest: BooksAPI, Request {
    typealias ModelType = Book
    init(id: Int, tag: String) {
        super.init(.patch("/books/\(segment: id)", content: .jsonPatch([.add("/tags/-", .string(tag))])))
    }
}
// end

// sample x
nonisolated struct Search: Encodable {
    var words: [String]
    var limit = 20
}

final class SearchBooksRequest: BooksAPI, Request {
    typealias ModelType = [Book]
    init(_ search: Search) {
        super.init(.query("/books", json: search))
    }
}
// end

// sample x
final class SignUpRequest: BooksAPI, Request {
    typealias ModelType = Void
    init(name: String, tags: [String]) {
        super.init(.post("/readers", content: .form(["name": name, "tag": tags])))
    }
}

nonisolated struct Order: Encodable {
    var bookID: Int
    var extras: [String]
}

final class OrderRequest: BooksAPI, Request {
    typealias ModelType = Void
    init(_ order: Order) {
        super.init(.post("/orders", content: .form(order, style: QueryStyle(arrays: .brackets, keys: .snakeCase))))
    }
}
// end

// sample x
final class CoverRequest: BooksAPI, Request {
    typealias ModelType = Void
    init(title: String, picture: URL) {
        let parts = [
            MultipartPart(name: "title", value: title),
            MultipartPart(name: "picture", content: .file(picture, type: "image/png")),
        ]
        super.init(.post("/covers", content: .multipart(parts)))
    }
}
// end

// sample x
final class ManuscriptRequest: BooksAPI, Request {
    typealias ModelType = Void
    init(of book: Int, file: URL) {
        super.init(.put("/books/\(segment: book)/manuscript", content: .file(file, type: "application/pdf")))
    }
}
// end

// sample x
final class CatalogRequest: BooksAPI, Request {
    typealias ModelType = Void
    init(lines: [String]) {
        let content = HTTPBody.stream(count: nil, type: "text/csv") {
            InputStream(data: Data(lines.joined(separator: "\n").utf8))
        }
        super.init(.put("/catalog", content: content))
    }
}
// end

// sample x
final class ExportRequest: BooksAPI, Request {
    typealias ModelType = Void
    init(titles: AsyncStream<String>) {
        super.init(.put("/export", content: .once(titles.map { Data("\($0)\n".utf8) }, type: "text/plain")))
    }
}
// end

// sample x
final class ReportRequest: BooksAPI, Request {
    typealias ModelType = Void
    init(_ report: [String]) {
        super.init(.post("/reports", content: .json(report).compressed()))
    }
}

final class LogUploadRequest: BooksAPI, Request {
    typealias ModelType = Void
    init(_ file: URL) {
        super.init(.put("/log", content: .file(file, type: "text/plain").compressed()))
    }
}
// end
