import APIBaseInspector
import APIBaseKit

/// An API whose calls are reported, as to an inspector.
class BooksAPI: APIBase {
    private let reporter: @Sendable (CallEvent) -> Void

    init(_ reporter: @escaping @Sendable (CallEvent) -> Void) {
        self.reporter = reporter
        super.init()
        baseURL = URL(string: "http://books.example/v2")
    }

    override func report(_ event: CallEvent) { reporter(event) }
}

/// A request for text.
final class Book: BooksAPI, Request {
    init(
        reporting reporter: @escaping @Sendable (CallEvent) -> Void,
        _ path: String = "books/7",
        _ change: (Book) -> Void = { _ in }
    ) {
        super.init(reporter)
        self.path = path
        change(self)
    }

    convenience init(_ inspector: Inspector, _ path: String = "books/7", _ change: (Book) -> Void = { _ in }) {
        self.init(reporting: inspector.report, path, change)
    }

    func start() -> AnyPublisher<String, any Error> {
        sendRequest().validateStatusCode(in: 200..<300).map { String(decoding: $0.data, as: UTF8.self) }
            .eraseToAnyPublisher()
    }
}
