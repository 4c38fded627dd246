import Basics
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The rules for a response that sends a request elsewhere (RFC 9110, section 15.4).
enum RedirectPolicy {
    enum Decision {
        /// Not a redirect, or one that cannot be followed: the response is for the caller.
        case respond
        case follow(ExchangeRequest)
        case refuse(TransportError.Reason)
    }

    /// Decides about the response to `request`, the `followed`th redirect of its chain having been followed before.
    static func decide(_ request: ExchangeRequest, _ head: ResponseHead, followed: Int) -> Decision {
        guard [301, 302, 303, 307, 308].contains(head.statusCode), request.limits.redirects > 0 else { return .respond }
        guard let location = head.headers["Location"], !location.isEmpty else { return .respond }
        let method = HTTPMethod(rawValue: request.urlRequest.httpMethod ?? "GET")
        let nextMethod = Self.method(after: head.statusCode, method)
        let dropsBody = nextMethod != method
        guard dropsBody || request.body.isReplayable || request.body.isEmpty else { return .respond }
        guard followed < request.limits.redirects else {
            return .refuse(.tooManyRedirects(limit: request.limits.redirects))
        }
        guard let source = request.urlRequest.url else { return .respond }
        do throws(InvalidRequest) {
            let target = try source.resolving(location)
            if source.isSecure, !target.isSecure { return .refuse(.insecureRedirect) }
            return .follow(next(request, to: target, method: nextMethod, dropsBody: dropsBody))
        } catch {
            return .refuse(.invalidRedirect(error))
        }
    }

    private static func method(after status: Int, _ method: HTTPMethod) -> HTTPMethod {
        switch status {
        case 301, 302: method == .post ? .get : method
        case 303: method == .head ? .head : .get
        default: method
        }
    }

    private static func next(
        _ request: ExchangeRequest,
        to target: URL,
        method: HTTPMethod,
        dropsBody: Bool
    ) -> ExchangeRequest {
        let staysAtHome = request.urlRequest.url?.origin == target.origin
        let headers = (request.urlRequest.allHTTPHeaderFields ?? [:]).filter { name, _ in
            if dropsBody, name.lowercasedASCII().hasPrefix("content-") { return false }
            return staysAtHome || !SecretHeaders.contains(name, in: request.secretHeaders)
        }
        var next = request
        next.urlRequest = URLRequest(url: target)
        next.urlRequest.httpMethod = method.rawValue
        next.urlRequest.allHTTPHeaderFields = headers
        if dropsBody { next.body = .none }
        if !staysAtHome { next.hasLeftOrigin = true }
        return next
    }
}
