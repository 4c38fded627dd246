import Foundation
import Testing

/// The names of types in the pages exist.
@Suite(.timeLimit(.minutes(5))) struct DocumentedTypeNameTests {
    private static let keywords: Set = [
        "class", "struct", "enum", "protocol", "actor", "typealias", "associatedtype", "macro",
    ]

    /// The types that are declared in the package or in a listing of the pages, and the folders of the package.
    private static let declared: Set<String> = {
        var names = Document.folders
        for file in Document.swiftFiles {
            names.formUnion(declarations(in: (try? Document.text("Sources/" + file)) ?? ""))
        }
        for page in Document.all { names.formUnion(declarations(in: ((try? page.listings("swift")) ?? []).joined())) }
        return names
    }()

    /// The names that are not the package's, by what they are.
    private static let others: [String: String] = [
        "Swift": """
        AsyncSequence Bool CancellationError Codable CustomPlaygroundDisplayConvertible CustomReflectable Decodable
        DecodingError Double Duration Encodable Error Int Int64 Linux MainActor Optional Result Self Sendable Set String
        Task Test UInt64 Void
        """,
        "Foundation and Dispatch": """
        Data Date Decimal DispatchQueue FoundationNetworking HTTPCookieStorage HTTPURLResponse InputStream
        JSONDecoder JSONEncoder LocalizedError NSObject NotificationCenter OperationQueue RunLoop Timer URLCache
        URLComponents URLCredentialStorage URLError URLProtocol URLQueryItem URLRequest URLSessionTaskMetrics
        """,
        "other libraries": """
        AFError APIClient APIError AccessTokenPlugin AuthenticationInterceptor CachedResponseHandler Combine
        CombineRequest EventMonitor HummingbirdTesting JSONParameterEncoder Logger MockerURLProtocol MoyaError
        MoyaProvider MultipartFormData NWPathMonitor NetworkLoggerPlugin NetworkReachabilityManager OfflineRetrier
        PluginType RedirectHandler RequestAdapter RequestRetrier ServerTrustManager TargetType
        URLEncodedFormParameterEncoder URLEncoding URLRequestConvertible
        """,
        "header names": "Age Cookie ETag Host Vary",
        "samples that are not listings": "AccountKey BookshopAPI BookshopDocument GetBookRequest MyAPI MyService Name",
        "the repository": "Package Sources Tests Vendor",
        "the tests": "AllOperators Behavior BehaviorTests",
    ]

    private static let allOthers = Set(others.values.flatMap { $0.split { $0.isWhitespace }.map(String.init) })

    @Test(arguments: Document.all.filter { $0.name != "Changelog" })
    func `Each type that an article names is declared or in the list of foreign names`(in document: Document) throws {
        for name in try Self.names(in: document) {
            #expect(Self.declared.contains(name) || Self.allOthers.contains(name), "\(name)")
        }
    }

    @Test func `Each name in the list of foreign names is used in an article and not declared`() throws {
        let named = Set(try Document.all.flatMap(Self.names))
        #expect(Self.allOthers.subtracting(named).sorted() == [])
        #expect(Self.allOthers.intersection(Self.declared).sorted() == [])
    }

    /// The words in code font that look like the name of a type, outside of texts and of paths, which are checked as
    /// such. Words in capital letters are methods and variables; `<Noun>` and `…` stand for a part of a name.
    private static func names(in document: Document) throws -> Set<String> {
        var names: Set<String> = []
        var isListing = false
        for line in try document.text.split(separator: "\n") {
            if line.hasPrefix("```") { isListing.toggle() }
            for span in isListing ? [] : line.matches(of: /`+([^`]+)`+/).map(\.1)
            where !span.contains(/\.(swift|c|md)$/) {
                let code = span.replacing(/"[^"]*"|(Sources|Tests)\/[^ ]*|<(Module|Name|Noun)>\w*|…\w+/, with: "")
                names.formUnion(code.matches(of: /[\w\-]+/).map { String($0.0) })
            }
        }
        return names.filter { $0.contains(/^[A-Z][A-Za-z0-9]*$/) && $0 != $0.uppercased() }
    }

    private static func declarations(in text: String) -> Set<String> {
        var names: Set<String> = []
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let words = line.split { !$0.isInName }.map { String($0) ?? "" }
            for (keyword, name) in zip(words, words.dropFirst()) where keywords.contains(keyword) { names.insert(name) }
        }
        return names
    }
}

extension UInt8 {
    fileprivate var isInName: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
