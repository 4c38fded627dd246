import Foundation
import HTTPTransport
import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

typealias Whole = (data: Data, response: HTTPURLResponse)

/// A request with what the test cares about.
func make(
    _ method: HTTPMethod = .get,
    _ url: URL,
    _ headers: [String: String] = [:],
    body: HTTPBody = .none,
    secrets: Set<String> = [],
    _ change: (inout ExchangeLimits) -> Void = { _ in }
) -> ExchangeRequest {
    var request = URLRequest(url: url)
    request.httpMethod = method.rawValue
    request.allHTTPHeaderFields = headers
    var limits = ExchangeLimits.default
    limits.idle = .seconds(15)
    change(&limits)
    return ExchangeRequest(request, body: body, secretHeaders: secrets, limits: limits)
}

extension HTTPSession {
    /// The whole response, or the error; nil if neither came in time.
    func fetch(_ request: ExchangeRequest) async -> Result<Whole, TransportError>? {
        let recorder = Recorder<Whole, TransportError>()
        response(to: request).subscribe(recorder)
        switch await recorder.end() {
        case .finished: return recorder.values.first.map { .success($0) }
        case .failure(let error): return .failure(error)
        case nil:
            recorder.cancel()
            return nil
        }
    }
}

extension Result where Success == Whole, Failure == TransportError {
    var text: String? { (try? get()).map { String(decoding: $0.data, as: UTF8.self) } }
    var status: Int? { (try? get())?.response.statusCode }
    var error: TransportError? {
        if case .failure(let error) = self { return error }
        return nil
    }
}

extension Result where Failure == TransportError {
    var failure: TransportError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }

    var reason: TransportError.Reason? { failure?.reason }
}
