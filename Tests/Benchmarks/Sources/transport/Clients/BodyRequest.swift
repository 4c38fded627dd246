import APIBaseKit
import Foundation
import JSONPlaceholder

/// A call whose value is the validated body, as it came.
final class BodyRequest: JSONPlaceholderAPI, Request {
    func start() -> AnyPublisher<Data, any Error> {
        sendRequest().map(\.data).eraseToAnyPublisher()
    }
}
