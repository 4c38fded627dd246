// swift-format-ignore-file
// A client as it was written for the ancestor's release 1.0.0, with nothing but the import changed.

import APIBaseKit

class NotesAPI: APIBase {
    override init() {
        super.init()
        baseURL = URL(string: "http://notes.example")
    }

    override func buildURLRequest() throws -> URLRequest {
        var request = try super.buildURLRequest()
        request.setValue("Bearer token", forHTTPHeaderField: "Authorization")
        return request
    }

    override func sendRequest() -> AnyPublisher<DataResponseTuple, Error> {
        super.sendRequest()
            .validateStatusCode(in: 200..<300)
            .hasContentType("application/json")
            .eraseToAnyPublisher()
    }
}

struct Note: Codable, Equatable {
    var id: Int
    var text: String
}

class NoteRequest: NotesAPI, Request {
    init(id: Int) {
        super.init()
        path = "/notes/\(id)"
        queryItems = [URLQueryItem(name: "fields", value: "id,text")]
    }

    func start() -> AnyPublisher<Note, Error> {
        sendRequest()
            .map(\.data)
            .decode(type: Note.self, decoder: JSONDecoder())
            .eraseToAnyPublisher()
    }
}

class CreateNoteRequest: NotesAPI, Request {
    let note: Note

    init(note: Note) {
        self.note = note
        super.init()
        method = .post
        path = "/notes"
        contentType = "application/json"
    }

    override func encodeBody() throws -> Data? {
        try JSONEncoder().encode(note)
    }

    func start() -> AnyPublisher<Void, Error> {
        sendRequest().map { _ in () }.eraseToAnyPublisher()
    }
}

class UploadRequest: NotesAPI, Request {
    init(data: Data) {
        super.init()
        method = .put
        path = "/upload"
        contentType = "application/octet-stream"
        bodyStream = (stream: InputStream(data: data), count: data.count)
    }

    func start() -> AnyPublisher<Void, Error> {
        sendRequest().map { _ in () }.eraseToAnyPublisher()
    }
}
