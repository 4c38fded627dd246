package import Foundation
package import HTTPTransport
import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A whole response, as a Sendable value.
package struct Reply: Sendable {
    package let status: Int
    package let data: Data
    package let headers: HTTPHeaders
    package let url: URL

    package var text: String { String(decoding: data, as: UTF8.self) }
}

extension HTTPSession {
    /// The result of one exchange, within a time limit.
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

    /// The error of the exchange; `nil` on success.
    package func failure(of request: ExchangeRequest, within seconds: Int = 120) async throws -> TransportError? {
        try await result(of: request, within: seconds).failure
    }
}

extension Result where Failure == TransportError {
    /// The error; `nil` on success.
    package var failure: TransportError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }

    /// Why a value is missing.
    package var reason: TransportError.Reason? { failure?.reason }
}
