public import APIBaseKit

/// Unsplash, the library of free photos: the base class of its calls.
///
/// Every call needs an access key. Register an application at Unsplash to get one.
open class UnsplashAPI: JSONAPI {
    private static let host = URL(string: "https://api.unsplash.com")

    /// The real host.
    open override class var baseURL: URL? { host }

    /// The environment variable with the access key for callers that give none.
    public static let accessKeyVariable = "UNSPLASH_ACCESS_KEY"

    /// The access key. Without one, the request fails to build with ``UnsplashError/noAccessKey``.
    public let accessKey: String?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - endpoint: Method, path and query.
    ///   - accessKey: The access key. If it is `nil`, that of the environment variable `UNSPLASH_ACCESS_KEY`.
    public init(_ endpoint: Endpoint = Endpoint(), accessKey: String? = nil) {
        self.accessKey = accessKey ?? ProcessInfo.processInfo.environment[Self.accessKeyVariable]
        super.init(endpoint)
        headers["Accept-Version"] = "v1"
        authorization = self.accessKey.map { .header("Authorization", "Client-ID \($0)") }
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
    }

    /// The request. Throws ``UnsplashError/noAccessKey`` without a key.
    open override func buildURLRequest() throws -> URLRequest {
        guard let accessKey, !accessKey.isEmpty else { throw UnsplashError.noAccessKey }
        return try super.buildURLRequest()
    }
}

/// Why a call of Unsplash was not made.
public enum UnsplashError: Error, LocalizedError, Hashable, Sendable {
    /// Neither the caller nor the environment gives an access key.
    case noAccessKey

    /// The error as a sentence.
    public var errorDescription: String? {
        switch self {
        case .noAccessKey:
            "There is no Unsplash access key: give one to the request, or set \(UnsplashAPI.accessKeyVariable)."
        }
    }
}
