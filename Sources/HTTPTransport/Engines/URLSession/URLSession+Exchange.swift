public import PortableCombine

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLSession: HTTPSession {
    /// One hop by a task of this session; on Linux by a task of another session made from this one's configuration.
    ///
    /// On Apple systems the task has a delegate of its own, which answers redirects and keeps responses out of caches;
    /// challenges and the rest still go to the session's delegate. Headers of the configuration are added by Foundation
    /// there, also to what goes to another origin after a redirect: put no secrets into them. A session must not be invalidated
    /// while requests may still begin on it: Foundation raises an exception for them there, which ends the program and cannot be
    /// caught in Swift. The head of a reply without `X-Content-Type-Options: nosniff` may come late there: for some media types,
    /// `text/html` among them, Foundation first reads up to 512 bytes of the body, to guess the type.
    ///
    /// On Linux the session's delegate would get the task's data, and a task's own delegate would not. So its
    /// configuration is copied when it is first used, and its delegate is not asked at all. Protocol classes, the number
    /// of connections for each host and additional headers are kept (secret ones are not sent to another origin);
    /// cookies, cache and credentials are taken away. The copy lives as long as this session. A redirect that is handed
    /// out as the response (301, 302, 303, 307, 308) has no body there, whatever was sent: Foundation drops it.
    public func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError> {
        hop(request)
    }
}

extension URLSession: EngineSession {
    package func makeTask() -> any EngineTask {
        URLSessionEngineTask(on: URLSessionEngines.shared.engine(for: self))
    }
}
