import APIBaseInspector
import APIBaseKit

/// An API whose calls are reported to an inspector.
class BooksAPI: APIBase {
    let inspector: Inspector

    init(_ inspector: Inspector) {
        self.inspector = inspector
        super.init()
        baseURL = URL(string: "http://books.example/v2")
    }

    override func report(_ event: CallEvent) { inspector.report(event) }
}

/// A request for text.
final class Book: BooksAPI, Request {
    init(_ inspector: Inspector, _ path: String = "books/7", _ change: (Book) -> Void = { _ in }) {
        super.init(inspector)
        self.path = path
        change(self)
    }

    func start() -> AnyPublisher<String, any Error> {
        sendRequest().validateStatusCode(in: 200..<300).map { String(decoding: $0.data, as: UTF8.self) }
            .eraseToAnyPublisher()
    }
}
