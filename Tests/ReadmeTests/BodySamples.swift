// swift-format-ignore-file
// The samples of the article on bodies, in its order.

import APIBaseTesting

// sample x
final class RenameBookRequest: BooksAPI, Request {
    typealias ModelType = Book
    init(id: Int, title: String) {
        super.init(.patch("/books/\(segment: id)", json: ["title": title]))
        contentType = "application/merge-patch+json"
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

struct Order: Encodable {
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
