import Basics
package import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The rules for redirects (RFC 9110, section 15.4).
enum RedirectPolicy {
    enum Decision {
        /// The response goes to the caller: it is no redirect, or one that cannot be followed.
        case respond
        case follow(ExchangeRequest)
        case refuse(TransportError.Reason)
        /// The head does not say where to go.
        case malformed(MalformedHead)
    }

    /// Decides about the response to `request`, after `followed` redirects in the same chain.
    static func decide(_ request: ExchangeRequest, _ head: ResponseHead, followed: Int) -> Decision {
        guard [301, 302, 303, 307, 308].contains(head.statusCode), request.limits.redirects > 0 else { return .respond }
        // Foundation joins fields with the same name.
        let locations = Set(head.headers.values(for: "Location").map(\.withoutRepetition))
        guard let location = locations.first, !location.isEmpty else { return .respond }
        guard locations.count == 1 else { return .malformed(.differentLocations) }
        let method = HTTPMethod(rawValue: request.urlRequest.httpMethod ?? "GET")
        let nextMethod = Self.method(after: head.statusCode, method)
        let dropsBody = nextMethod != method
        guard dropsBody || request.body.isReplayable || request.body.isEmpty else { return .respond }
        guard followed < request.limits.redirects else {
            return .refuse(.tooManyRedirects(limit: request.limits.redirects))
        }
        guard let source = request.urlRequest.url else { return .respond }
        do throws(TransportError.InvalidRequest) {
            let target = try source.resolving(location)
            if source.isSecure, !target.isSecure { return .refuse(.insecureRedirect) }
            return .follow(next(request, to: target, method: nextMethod, dropsBody: dropsBody))
        } catch {
            return .refuse(.invalidRedirect(error))
        }
    }

    /// Checks the request that the caller has made of `next`, the one by which to follow.
    static func decide(_ request: ExchangeRequest, changing next: ExchangeRequest, to answer: URLRequest?) -> Decision {
        guard let answer else { return .respond }
        guard let target = answer.url else { return .refuse(.invalidRedirect(.init(.url, .missing))) }
        if request.urlRequest.url?.isSecure == true, !target.isSecure { return .refuse(.insecureRedirect) }
        var changed = next
        changed.urlRequest = answer
        if request.urlRequest.url?.origin != target.origin {
            for name in (answer.allHTTPHeaderFields ?? [:]).keys
            where HTTPHeaders.isSecret(name, in: request.secretHeaders) {
                changed.urlRequest.setValue(nil, forHTTPHeaderField: name)
            }
            changed.hasLeftOrigin = true
        }
        do throws(TransportError.InvalidRequest) {
            try changed.check()
            return .follow(changed)
        } catch {
            return .refuse(.invalidRedirect(error))
        }
    }

    /// Only `POST` becomes `GET` after a 301 or 302: a `QUERY` stays one, with its body (RFC 10008, section 2.5).
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
        let keepsOrigin = request.urlRequest.url?.origin == target.origin
        let headers = (request.urlRequest.allHTTPHeaderFields ?? [:]).filter { name, _ in
            if dropsBody, name.lowercasedASCII().hasPrefix("content-") { return false }
            return keepsOrigin || !HTTPHeaders.isSecret(name, in: request.secretHeaders)
        }
        var next = request
        next.urlRequest = URLRequest(url: target)
        next.urlRequest.httpMethod = method.rawValue
        next.urlRequest.allHTTPHeaderFields = headers
        if dropsBody { next.body = .none }
        if !keepsOrigin { next.hasLeftOrigin = true }
        return next
    }
}

extension String {
    /// The member of a list that has only this one, several times; otherwise the text itself.
    fileprivate var withoutRepetition: String {
        let members = components(separatedBy: ", ")
        return members.allSatisfy { $0 == members[0] } ? members[0] : self
    }
}

extension URL {
    /// The absolute URL of a reference that a server has sent, relative to this URL (RFC 3986, section 5): without its
    /// fragment, and checked like any other.
    package func resolving(_ text: String) throws(TransportError.InvalidRequest) -> URL {
        for byte in text.utf8 where byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\") {
            throw TransportError.InvalidRequest(.url, .forbiddenByte(byte))
        }
        // Browsers escape what servers leave raw: spaces, quotes, angle brackets, braces, and everything beyond ASCII.
        let escaped = text.withBytes { bytes in bytes.escaped { !bytes[$0].isEscapedByBrowsers } } ?? text
        var reference = URLReference(escaped).resolved(against: URLReference(absoluteURL.absoluteString))
        reference.fragment = nil
        // An empty port counts as no port (RFC 3986, section 3.2.3).
        if reference.authority?.utf8.last == UInt8(ascii: ":") { reference.authority?.removeLast() }
        let checked = try CheckedURL(text: reference.text)
        guard let url = URL(string: checked.text) else { throw TransportError.InvalidRequest(.url, .badHost) }
        return url
    }
}

extension UInt8 {
    fileprivate var isEscapedByBrowsers: Bool { self <= 0x20 || self > 0x7E || "\"<>^`{|}".utf8.contains(self) }
}
