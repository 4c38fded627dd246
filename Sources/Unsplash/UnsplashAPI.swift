public import APIBaseKit

/// Unsplash, the library of free photos: everything its calls share.
///
/// Every call needs an access key, which Unsplash gives to those who register an application.
open class UnsplashAPI: JSONAPI {
    private static let host = URL(string: "https://api.unsplash.com")

    /// The real host.
    open override class var baseURL: URL? { host }

    /// The environment variable that holds the access key if the caller gives none.
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
        headers["Authorization"] = self.accessKey.map { "Client-ID \($0)" }
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
    }

    /// The request, if there is a key for it.
    open override func buildURLRequest() throws -> URLRequest {
        guard let accessKey, !accessKey.isEmpty else { throw UnsplashError.noAccessKey }
        return try super.buildURLRequest()
    }
}

/// Why a call of Unsplash was not made.
public enum UnsplashError: Error, LocalizedError, Hashable, Sendable {
    /// There is no access key, neither from the caller nor in the environment.
    case noAccessKey

    /// The error as a sentence.
    public var errorDescription: String? {
        switch self {
        case .noAccessKey:
            "There is no Unsplash access key: give one to the request, or set \(UnsplashAPI.accessKeyVariable)."
        }
    }
}
