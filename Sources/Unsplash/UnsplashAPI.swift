public import APIBaseKit

/// Unsplash, the library of free photos: everything its calls share.
///
/// Every call needs an access key, which Unsplash gives to those who register an application.
open class UnsplashAPI: APIBase {
    private static let host = URL(string: "https://api.unsplash.com")

    /// The environment variable that holds the access key if the caller gives none.
    public static let accessKeyVariable = "UNSPLASH_ACCESS_KEY"

    /// The access key. Without one, the request fails to build with ``UnsplashError/noAccessKey``.
    public let accessKey: String?

    /// Creates a request to the real host. Set ``APIBase/baseURL`` for any other.
    ///
    /// - Parameter accessKey: The access key. If it is `nil`, that of the environment variable
    ///   `UNSPLASH_ACCESS_KEY`.
    public init(accessKey: String? = nil) {
        let key = accessKey ?? ProcessInfo.processInfo.environment[Self.accessKeyVariable]
        self.accessKey = key
        super.init()
        baseURL = Self.host
        headers["Accept"] = "application/json"
        headers["Accept-Version"] = "v1"
        headers["Authorization"] = key.map { "Client-ID \($0)" }
    }

    /// The request, if there is a key for it.
    open override func buildURLRequest() throws -> URLRequest {
        guard let accessKey, !accessKey.isEmpty else { throw UnsplashError.noAccessKey }
        return try super.buildURLRequest()
    }

    /// The call, with its status and content type checked.
    open override func startRequest() -> AnyPublisher<DataResponseTuple, any Error> {
        super.startRequest()
            .validateStatusCode(in: 200..<300)
            .hasContentType("application/json")
            .eraseToAnyPublisher()
    }

    /// What reads a reply of Unsplash: keys in snake case, dates as in RFC 3339.
    func decode<Model: Decodable>(_ type: Model.Type) -> AnyPublisher<Model, any Error> {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return sendRequest()
            .map(\.data)
            .decode(type: type, decoder: decoder)
            .eraseToAnyPublisher()
    }
}

/// Why a call of Unsplash was not made.
public enum UnsplashError: Error, LocalizedError, Hashable, Sendable {
    /// There is no access key, neither from the caller nor in the environment.
    case noAccessKey

    /// What is missing, as a sentence.
    public var errorDescription: String? {
        switch self {
        case .noAccessKey:
            "There is no Unsplash access key: give one to the request, or set \(UnsplashAPI.accessKeyVariable)."
        }
    }
}
