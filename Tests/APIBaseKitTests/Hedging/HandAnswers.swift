import APIBaseKit
import Basics

/// Answers the requests of a call one by one, when the test says so: all that an answer decides has been decided when
/// ``answer(_:status:)`` returns.
final class HandAnswers: Sendable {
    private typealias Subject = PassthroughSubject<APIBase.DataResponseTuple, any Error>

    private let subjects = Locked<[Subject]>(uncheckedState: [])

    /// The number of requests that were sent.
    var count: Int { subjects.withLockUnchecked { $0.count } }

    /// What the call has in place of the network.
    var publisher: AnyPublisher<APIBase.DataResponseTuple, any Error> {
        Deferred { [self] in
            let subject = Subject()
            subjects.withLockUnchecked { $0.append(subject) }
            return subject
        }
        .eraseToAnyPublisher()
    }

    /// Answers the request of this number, from 0, which does nothing if that was canceled.
    func answer(_ number: Int, status: Int) {
        guard let url = URL(string: "http://api.example/x"),
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
        else { return }
        let subject = subjects.withLockUnchecked { $0.indices.contains(number) ? $0[number] : nil }
        subject?.send((Data(), response))
    }
}
