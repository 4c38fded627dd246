import Basics

/// The response of a token endpoint (RFC 6749, section 5.1).
struct OAuthResponse: Decodable, Sendable {
    private enum CodingKeys: CodingKey {
        case accessToken, expiresIn, refreshToken, tokenType
    }

    /// Types of tokens that need a proof beside them (RFC 6749, section 7.1; RFC 9449, section 5; RFC 8693, section
    /// 2.2.1). Servers name all sorts of others, and mean `Bearer`.
    private static let otherTypes: Set = ["dpop", "mac", "pop", "n_a"]

    private let accessToken: String
    private let expiresIn: Seconds?
    private let refreshToken: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try container.decode(String.self, forKey: .accessToken)
        if let problem = accessToken.tokenProblem {
            throw DecodingError.dataCorruptedError(
                forKey: .accessToken,
                in: container,
                debugDescription: "The token \(problem)."
            )
        }
        let type = try? container.decodeIfPresent(String.self, forKey: .tokenType)
        if let type, Self.otherTypes.contains(type.trimmingCharacters(in: .whitespaces).lowercasedASCII()) {
            throw DecodingError.dataCorruptedError(
                forKey: .tokenType,
                in: container,
                debugDescription: "The token is of a type that is not sent as it is."
            )
        }
        // The rest of the response is good, and its refresh token may be the only one.
        expiresIn = try? container.decodeIfPresent(Seconds.self, forKey: .expiresIn)
        let refreshToken = try container.decodeIfPresent(String.self, forKey: .refreshToken)
        self.refreshToken = refreshToken == "" ? nil : refreshToken
    }

    var token: StoredToken {
        StoredToken(
            accessToken,
            expiresAt: expiresIn?.lifetime.map { Date(timeIntervalSinceNow: $0) },
            refreshToken: refreshToken
        )
    }
}

/// A number of seconds. Some servers write it as text.
struct Seconds: Decodable, Sendable {
    /// From 0 to a hundred years; `nil` if it is no number.
    let value: Double?

    /// The number as a lifetime (RFC 6749, section 5.1); `nil` for 0 or less, by which servers mean that there is no
    /// end, or that they do not know it.
    var lifetime: Double? { value.flatMap { $0 > 0 ? $0 : nil } }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let value =
            try (try? container.decode(Double.self))
            ?? Double(container.decode(String.self).trimmingCharacters(in: .whitespaces))
        self.value = value.flatMap { $0.isNaN ? nil : min(max($0, 0), Duration.longest / .seconds(1)) }
    }
}
