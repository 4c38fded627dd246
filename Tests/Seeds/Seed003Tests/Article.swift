// swift-format-ignore-file
// The article shows its code as pictures. This is the networking layer that its text describes, name by name, written
// for the demo server's todo API.

import APIBaseKit

typealias JSONDictionary = [String: Any]

protocol ResponseParserType {
    associatedtype Response
    func parse(data: Data) throws -> Response
}

protocol ErrorParserType {
    func parse(data: JSONDictionary) -> Error?
}

protocol Request {
    associatedtype Response: Decodable
    associatedtype ResponseParser: ResponseParserType where ResponseParser.Response == Response
    var baseUrl: String { get }
    var path: String { get }
    var method: String { get }
    var header: [String: String]? { get }
    var parser: ResponseParser? { get }
    var errorParser: ErrorParserType? { get }
    var reponseValidRange: ClosedRange<Int> { get }
    func parameter() -> [String: Any]?
}

extension Request {
    var method: String { "GET" }
    var header: [String: String]? { nil }
    var parser: ResponseParser? { nil }
    var errorParser: ErrorParserType? { ReasonParser() }
    var reponseValidRange: ClosedRange<Int> { 200...399 }
    func parameter() -> [String: Any]? { nil }
}

protocol RequestConvertable: Request {
    func asURLRequest() throws -> URLRequest
}

extension RequestConvertable {
    func asURLRequest() throws -> URLRequest {
        guard let url = URL(string: baseUrl + path) else { throw APIError.badRequest(nil, "bad URL") }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.allHTTPHeaderFields = header
        if let parameter = parameter() {
            request.httpBody = try JSONSerialization.data(withJSONObject: parameter)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        return request
    }
}

struct JSONParser<Response: Decodable>: ResponseParserType {
    func parse(data: Data) throws -> Response {
        do {
            return try JSONDecoder().decode(Response.self, from: data)
        } catch {
            throw ParseError.undecodable(error)
        }
    }
}

struct ReasonParser: ErrorParserType {
    func parse(data: JSONDictionary) -> Error? {
        (data["reason"] as? String).map { APIError.unknown(nil, $0) }
    }
}

enum ParseError: Error {
    case undecodable(Error)
}

enum APIError: Error, LocalizedError {
    case badRequest(Error?, String?)
    case unAuthorised(Error?, String?)
    case notFound(Error?, String?)
    case serverError(Error?, String?)
    case unknown(Error?, String?)

    var errorDescription: String? {
        switch self {
        case .badRequest(let error, let text), .unAuthorised(let error, let text), .notFound(let error, let text),
            .serverError(let error, let text), .unknown(let error, let text):
            return error?.localizedDescription ?? text
        }
    }

    static func make(statusCode: Int, parsed: Error?) -> Error {
        switch statusCode {
        case 400: return APIError.badRequest(parsed, nil)
        case 401: return APIError.unAuthorised(parsed, nil)
        case 404: return APIError.notFound(parsed, nil)
        case 402..<500: return parsed ?? APIError.unknown(nil, nil)
        case 500...: return APIError.serverError(parsed, nil)
        default: return APIError.unknown(parsed, nil)
        }
    }
}

protocol RequestExecutor {
    func executeRequest<R>(request: R) -> AnyPublisher<R.Response, Error> where R: RequestConvertable
}

class WebApiClient: RequestExecutor {
    let session: URLSession

    init(session: URLSession = .shared) {
        self.session = session
    }

    func executeRequest<R>(request: R) -> AnyPublisher<R.Response, Error> where R: RequestConvertable {
        guard let urlRequest = try? request.asURLRequest() else {
            return Fail(error: APIError.badRequest(nil, "bad request")).eraseToAnyPublisher()
        }
        return session.dataTaskPublisher(for: urlRequest)
            .tryMap { data, response -> Data in
                guard let response = response as? HTTPURLResponse else { throw APIError.unknown(nil, "no HTTP") }
                guard request.reponseValidRange.contains(response.statusCode) else {
                    let json = try? JSONSerialization.jsonObject(with: data) as? JSONDictionary
                    throw APIError.make(
                        statusCode: response.statusCode,
                        parsed: json.flatMap { request.errorParser?.parse(data: $0) }
                    )
                }
                return data
            }
            .tryMap { data in
                try request.parser?.parse(data: data) ?? JSONDecoder().decode(R.Response.self, from: data)
            }
            .mapError { error -> Error in
                switch error {
                case is APIError, is ParseError: return error
                default: return APIError.unknown(error, nil)
                }
            }
            .receive(on: RunLoop.main)
            .eraseToAnyPublisher()
    }

    /// The article's other way to fail: with a subject.
    func refuse<Response>(_ type: Response.Type) -> AnyPublisher<Response, Error> {
        CurrentValueSubject<Void, Error>(())
            .tryMap { _ -> Response in throw APIError.badRequest(nil, "bad request") }
            .eraseToAnyPublisher()
    }
}
