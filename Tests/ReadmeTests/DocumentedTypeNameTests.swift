import Foundation
import TestTiers
import Testing

/// The names of types in the pages exist.
@Suite(.limited) struct DocumentedTypeNameTests {
    /// The patterns of Swift take several times as long for so many files.
    private static let declaration: NSRegularExpression = {
        let keywords = "class|struct|enum|protocol|actor|typealias|associatedtype|macro"
        guard let pattern = try? NSRegularExpression(pattern: "\\b(?:\(keywords))\\b[^\\w\\n]+(\\w+)") else {
            preconditionFailure("It is a pattern.")
        }
        return pattern
    }()

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
        MoyaProvider MultipartFormData NIOAsyncChannel NWPathMonitor NetworkLoggerPlugin NetworkReachabilityManager
        OfflineRetrier
        PluginType RedirectHandler RequestAdapter RequestRetrier ServerTrustManager TargetType
        URLEncodedFormParameterEncoder URLEncoding URLRequestConvertible
        """,
        "apps": "AsyncImage Preview ProcessInfo",
        "header names": "Age Cookie ETag Expect Expires Host Vary",
        "samples that are not listings": "AccountKey BookshopAPI BookshopDocument GetBookRequest MyAPI MyService Name",
        "the repository": "Package Sources Tests Vendor",
        "the stores of the replicas": "CHiredis Redis RedisLimiter RedisResponseStorage RedisTokenStore",
        "the tests": """
        AllOperators Behavior Browser ChildProcess Fuzzing Hostile Later MisbehavingServerTests Support
        """,
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
            for span in isListing ? [] : spans(in: line)
            where ![".swift", ".c", ".md"].contains(where: span.hasSuffix) {
                // Searches with patterns take long, so only where there is something to remove.
                let hasOther = span.utf8.contains {
                    UInt8(ascii: "\"") == $0 || UInt8(ascii: "/") == $0 || UInt8(ascii: "<") == $0 || $0 == 0xE2
                }
                let code =
                    hasOther
                    ? span.replacing(/"[^"]*"|(Sources|Tests)\/[^ ]*|<(Module|Name|Noun)>\w*|…\w+/, with: "") : span
                names.formUnion(code.split { !($0.isLetter || $0.isNumber || "_-".contains($0)) }.map(String.init))
            }
        }
        return names.filter { name in
            name.first?.isUppercase == true && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
                && name != name.uppercased()
        }
    }

    /// What stands between backticks.
    private static func spans(in line: Substring) -> [Substring] {
        var (spans, rest) = ([Substring](), line)
        while let tick = rest.firstIndex(of: "`") {
            rest = rest[tick...].drop { $0 == "`" }
            guard let end = rest.firstIndex(of: "`") else { break }
            spans.append(rest[..<end])
            rest = rest[end...].drop { $0 == "`" }
        }
        return spans
    }

    /// The words after a keyword in the same line.
    private static func declarations(in text: String) -> Set<String> {
        let whole = NSRange(text.startIndex..., in: text)
        return Set(
            declaration.matches(in: text, range: whole).compactMap { match in
                Range(match.range(at: 1), in: text).map { String(text[$0]) }
            }
        )
    }
}
