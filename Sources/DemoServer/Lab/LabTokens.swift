import Basics
import Foundation

/// Tokens that expire and are renewed (RFC 6749, sections 4.4 and 6): for the client `demo` with the secret `demo`.
///
/// `?lifetime=2` makes one that is valid for so many seconds.
final class LabTokens: Sendable {
    private struct State {
        var last = 0
        var ends: [String: Date] = [:]
        var refresh: Set<String> = []
    }

    private let now: @Sendable () -> Date
    private let state = Locked(State())

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    func issue(to request: ServerRequest) throws(HTTPFault) -> ServerResponse {
        let lifetime = try request.number("lifetime", in: 0...86_400, default: 60)
        let form = FormFields(request.body)
        try checkClient(request, form)
        switch form["grant_type"] {
        case "client_credentials": break
        case "refresh_token":
            let token = form["refresh_token"] ?? ""
            // Each is good for one time.
            guard state.withLock({ $0.refresh.remove(token) != nil }) else { throw Self.refused(400, "invalid_grant") }
        default: throw Self.refused(400, "unsupported_grant_type")
        }
        let (access, refresh) = make(validFor: lifetime)
        return .json(
            [
                "access_token": .string(access), "token_type": "Bearer", "expires_in": .int(lifetime),
                "refresh_token": .string(refresh),
            ],
            headers: HTTPFields(["Cache-Control": "no-store"])
        )
    }

    /// 401 for a request without a valid token (RFC 6750, section 3).
    func check(_ request: ServerRequest) throws(HTTPFault) {
        guard case .bearer(let token) = Credentials(request), let end = state.withLock({ $0.ends[token] }), now() < end
        else {
            let challenge = HTTPFields(["WWW-Authenticate": "Bearer error=\"invalid_token\""])
            throw HTTPFault(401, "The token is missing, unknown or has expired.", headers: challenge)
        }
    }

    private func checkClient(_ request: ServerRequest, _ form: FormFields) throws(HTTPFault) {
        if case .basic("demo", "demo") = Credentials(request) { return }
        guard form["client_id"] == "demo", form["client_secret"] == "demo" else {
            throw Self.refused(401, "invalid_client")
        }
    }

    private func make(validFor lifetime: Int) -> (access: String, refresh: String) {
        let end = now().addingTimeInterval(Double(lifetime))
        return state.withLock { state in
            state.last += 1
            // So many are remembered.
            if state.ends.count > 1_000 { (state.ends, state.refresh) = ([:], []) }
            let names = (access: "access-\(state.last)", refresh: "refresh-\(state.last)")
            state.ends[names.access] = end
            state.refresh.insert(names.refresh)
            return names
        }
    }

    private static func refused(_ status: Int, _ error: String) -> HTTPFault { HTTPFault(status, error) }
}

/// The fields of a form (`application/x-www-form-urlencoded`).
struct FormFields {
    private let fields: [String: String]

    init(_ body: Data) {
        var parts = URLComponents()
        parts.percentEncodedQuery = String(decoding: body, as: UTF8.self).replacingOccurrences(of: "+", with: "%20")
        let items = (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        fields = Dictionary(items) { first, _ in first }
    }

    subscript(name: String) -> String? { fields[name] }
}
