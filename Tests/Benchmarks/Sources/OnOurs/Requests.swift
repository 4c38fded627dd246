import Foundation
import Harness

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private struct User: Codable {
    var id: Int
    var name: String
    var email: String
    var address: Address
    var tags: [String]

    struct Address: Codable {
        var street: String
        var city: String
        var zip: String
    }

    static let many = (1...24).map { number in
        User(
            id: number,
            name: "User number \(number)",
            email: "user\(number)@example.com",
            address: Address(street: "Long Street \(number)", city: "Springfield", zip: "4\(1000 + number)"),
            tags: ["first", "second", "third number \(number)"]
        )
    }
}

private struct BadStatus: Error {}

private typealias Answer = (data: Data, response: URLResponse)

private func isSuccess(_ answer: Answer) throws -> (data: Data, response: HTTPURLResponse) {
    guard let response = answer.response as? HTTPURLResponse else { throw BadStatus() }
    return (answer.data, response)
}

private func hasContent(_ answer: (data: Data, response: HTTPURLResponse)) throws -> (Data, HTTPURLResponse) {
    guard 200..<300 ~= answer.response.statusCode else { throw BadStatus() }
    return answer
}

/// What the kit does with one answer: from subscribing to the end.
func requestLines() -> [Line] {
    guard
        let url = URL(string: "http://localhost/users"),
        let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:]),
        let json = try? JSONEncoder().encode(User.many)
    else { return [] }
    let answer: Answer = (json, response)
    let decoder = JSONDecoder()

    return [
        Line("request pipeline: `Just`, `setFailureType`, `tryMap`, `tryMap`, `map`, erase, `sink`") {
            var length = 0
            let cancellable = Just(answer)
                .setFailureType(to: (any Error).self)
                .tryMap(isSuccess)
                .tryMap(hasContent)
                .map { $0.0 }
                .eraseToAnyPublisher()
                .sink(receiveCompletion: { _ in }, receiveValue: { length = $0.count })
            blackHole(length)
            cancellable.cancel()
        },
        Line("the same, with the answer as an `AnyPublisher`, as a session delivers it") {
            var length = 0
            let cancellable = Just(answer)
                .setFailureType(to: (any Error).self)
                .eraseToAnyPublisher()
                .tryMap(isSuccess)
                .tryMap(hasContent)
                .map { $0.0 }
                .eraseToAnyPublisher()
                .sink(receiveCompletion: { _ in }, receiveValue: { length = $0.count })
            blackHole(length)
            cancellable.cancel()
        },
        Line("the same, and `decode` of \(json.count) bytes of JSON") {
            var count = 0
            let cancellable = Just(answer)
                .setFailureType(to: (any Error).self)
                .eraseToAnyPublisher()
                .tryMap(isSuccess)
                .tryMap(hasContent)
                .map { $0.0 }
                .decode(type: [User].self, decoder: decoder)
                .eraseToAnyPublisher()
                .sink(receiveCompletion: { _ in }, receiveValue: { count = $0.count })
            blackHole(count)
            cancellable.cancel()
        },
    ]
}
