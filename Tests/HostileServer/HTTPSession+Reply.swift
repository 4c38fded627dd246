package import Foundation
package import HTTPTransport
import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A whole response, in a form that may be handed about.
package struct Reply: Sendable {
    package let status: Int
    package let data: Data
    package let headers: HTTPHeaders
    package let url: URL

    package var text: String { String(decoding: data, as: UTF8.self) }
}

extension HTTPSession {
    /// The end of one exchange, if it comes in time.
    package func result(
        of request: ExchangeRequest,
        within seconds: Int = 120
    ) async throws -> Result<Reply, TransportError> {
        let end = Later<Result<Reply, TransportError>>()
        let subscription = response(to: request).sink { completion in
            if case .failure(let error) = completion { end.set(.failure(error)) }
        } receiveValue: { data, response in
            let head = ResponseHead(response, url: request.urlRequest.url ?? URL(fileURLWithPath: "/"))
            end.set(.success(Reply(status: head.statusCode, data: data, headers: head.headers, url: head.url)))
        }
        defer { subscription.cancel() }
        return try await end.value(within: seconds)
    }

    package func reply(to request: ExchangeRequest, within seconds: Int = 120) async throws -> Reply {
        try await result(of: request, within: seconds).get()
    }

    /// Why the exchange failed; nil if it did not.
    package func failure(of request: ExchangeRequest, within seconds: Int = 120) async throws -> TransportError? {
        try await result(of: request, within: seconds).failure
    }
}

extension Result where Failure == TransportError {
    /// The error, if there is no value.
    package var failure: TransportError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }

    /// Why there is no value.
    package var reason: TransportError.Reason? { failure?.reason }
}
