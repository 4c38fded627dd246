/// The response of a token endpoint (RFC 6749, section 5.1).
struct OAuthResponse: Decodable, Sendable {
    private enum CodingKeys: CodingKey {
        case accessToken, expiresIn, refreshToken
    }

    private let accessToken: String
    private let expiresIn: Seconds?
    private let refreshToken: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try container.decode(String.self, forKey: .accessToken)
        guard !accessToken.isEmpty else {
            throw DecodingError.dataCorruptedError(
                forKey: .accessToken,
                in: container,
                debugDescription: "The token is empty."
            )
        }
        expiresIn = try container.decodeIfPresent(Seconds.self, forKey: .expiresIn)
        let refreshToken = try container.decodeIfPresent(String.self, forKey: .refreshToken)
        self.refreshToken = refreshToken == "" ? nil : refreshToken
    }

    var token: StoredToken {
        StoredToken(
            accessToken,
            expiresAt: expiresIn?.value.map { Date(timeIntervalSinceNow: $0) },
            refreshToken: refreshToken
        )
    }
}

/// A number of seconds. Some servers write it as text.
struct Seconds: Decodable, Sendable {
    /// At most a hundred years; `nil` if it is no number.
    let value: Double?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let value = try (try? container.decode(Double.self)) ?? Double(container.decode(String.self))
        self.value = value.flatMap { $0.isNaN ? nil : min(max($0, 0), Duration.longest / .seconds(1)) }
    }
}
