#if !canImport(Combine)
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// A publisher of what a server answers to one request: the whole body and the response.
    public func dataTaskPublisher(for url: URL) -> DataTaskPublisher { dataTaskPublisher(for: URLRequest(url: url)) }

    /// A publisher of what a server answers to one request: the whole body and the response.
    public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
        DataTaskPublisher(request: request, session: self)
    }

    /// A publisher of what a server answers to one request.
    ///
    /// Each subscriber has a task of its own, which starts when the subscriber asks for a value, and is cancelled when
    /// the subscriber cancels. The answer is delivered where the session calls completion handlers.
    public struct DataTaskPublisher: Publisher, Sendable {
        /// The body, empty if there is none, and the response.
        public typealias Output = (data: Data, response: URLResponse)

        /// Why there is no answer. A status such as 404 is an answer.
        public typealias Failure = URLError

        /// The request that is sent.
        public let request: URLRequest

        /// The session that sends it.
        public let session: URLSession

        /// Creates the publisher.
        public init(request: URLRequest, session: URLSession) { (self.request, self.session) = (request, session) }

        /// Attaches `subscriber`.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == URLError {
            subscriber.receive(subscription: DataTask(self, for: AnySubscriber(subscriber)))
        }
    }
}
#endif
