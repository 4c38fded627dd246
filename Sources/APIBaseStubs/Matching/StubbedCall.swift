public import Foundation
public import HTTPTransport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A request that was sent to stubs: what was sent, and which stub answered.
public struct StubbedCall: Sendable {
    /// The request as it was built. Its body is in ``body``.
    public let request: URLRequest
    /// The bytes of the body, also if it was a stream or a file. Empty if there was none. A body that is sent with
    /// `Content-Encoding: gzip` or `deflate`, or both, is decompressed.
    public let body: Data
    /// Whether the body is in a coding that is not decoded here.
    package let isCoded: Bool
    /// The path parameters of the stub's pattern, percent-decoded: `["id": "7"]` for `/users/:id`.
    public internal(set) var parameters: [String: String] = [:]
    /// The name of the stub that answered; nil if none did.
    public internal(set) var stub: String?
    var stubID: ObjectIdentifier?
    /// Where that stub was set up.
    package internal(set) var stubPlace: SourcePlace?
    /// Whether a recording has answered.
    package var isReplayed = false
    /// The notes about that stub.
    package internal(set) var stubNotes: [any Sendable] = []

    /// The account of the call; nil if it has none.
    public let account: APIAccount?

    /// The protocol that the request switches its connection to; nil for an ordinary request.
    package let upgrade: ConnectionUpgrade?
    private let secretHeaders: Set<String>
    private let endpointPath: EndpointPath?
    /// Whether a redirect has led to another origin.
    package let hasLeftOrigin: Bool
    /// The line of code that started the call, if it is noted.
    package let startPlace: (fileID: String, line: Int)?
    private let caller: (type: any AnyObject.Type, baseURL: URL?)?
    private let coders: (decoder: JSONDecoder, encoder: JSONEncoder)?

    init(_ exchange: ExchangeRequest, body: Data) {
        (request, upgrade) = (exchange.urlRequest, exchange.upgrade)
        caller = exchange.caller.map { ($0.type, $0.baseURL) }
        let call = exchange.caller as? any APICaller
        (account, secretHeaders, endpointPath) = (call?.account, call?.secretHeaders ?? [], call?.endpointPath)
        (startPlace, hasLeftOrigin) = (call?.startPlace, exchange.hasLeftOrigin)
        coders = exchange.caller?.coders
        let coding = request.value(forHTTPHeaderField: "Content-Encoding") ?? exchange.body.contentEncoding
        let decoded = ContentCodings(coding).content(of: body)
        (self.body, isCoded) = (decoded ?? body, decoded == nil && !body.isEmpty)
    }

    /// The method.
    public var method: HTTPMethod { HTTPMethod(rawValue: request.httpMethod ?? "GET") }

    /// The URL; nil if the request has none. Such a request cannot be sent.
    public var url: URL? { request.url }

    /// The headers, sorted by name.
    public var headers: HTTPHeaders { HTTPHeaders(request.allHTTPHeaderFields ?? [:]) }

    /// The path of the URL, percent-encoded.
    public var path: String { components?.percentEncodedPath ?? "" }

    /// The value of the first query item of that name: empty if the item has no value, nil if there is no such item.
    public func queryItem(_ name: String) -> String? {
        queryItems.first { $0.name == name }.map { $0.value ?? "" }
    }

    /// The query items in their order, percent-decoded.
    public var queryItems: [URLQueryItem] { components?.queryItems ?? [] }

    private var components: URLComponents? { url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) } }

    /// The template of the path, such as `/books/{id}`, see ``/APIBaseKit/APIBase/pathTemplate``; nil if the request has
    /// no such path.
    public var pathTemplate: String? { url.flatMap { endpointPath?.template(in: $0)?.path } }

    /// The first field of that name in a form body (`application/x-www-form-urlencoded`), decoded; nil if there is
    /// none.
    public func formField(_ name: String) -> String? {
        let fields = String(decoding: body, as: UTF8.self).split(separator: "&").map { field in
            field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.formDecoded)
        }
        return fields.first { $0.first == name }.map { $0.count > 1 ? $0[1] : "" }
    }

    /// Decodes the body as JSON, by default with the ``/APIBaseKit/JSONAPI/decoder`` of the request object, or with a
    /// new decoder if the object is no `JSONAPI`.
    ///
    /// - Throws: `DecodingError` if the body is not JSON, or not of this type.
    public func json<Value: Decodable>(
        _ type: Value.Type = Value.self,
        decoder: JSONDecoder? = nil
    ) throws -> Value {
        try (decoder ?? coders?.decoder ?? JSONDecoder()).decode(type, from: body)
    }

    var encoder: JSONEncoder { coders?.encoder ?? JSONEncoder() }

    /// The path, and that part of it below the base URL of the API's class.
    package var paths: [String] {
        let whole = path
        let base = caller?.baseURL.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true)?.percentEncodedPath }
        guard var base, !base.isEmpty, base != "/" else { return [whole] }
        if base.hasSuffix("/") { base.removeLast() }
        guard whole.hasPrefix(base + "/") else { return [whole] }
        return [whole, String(whole.dropFirst(base.count))]
    }

    package func isMade(by isType: (any AnyObject.Type) -> Bool) -> Bool { caller.map { isType($0.type) } ?? false }

    var className: String { caller.map { "\($0.type)" } ?? "unknown" }
}

extension StubbedCall {
    /// The request as a command for a shell, without secrets, as ``/APIBaseKit/APIBase/curlText``.
    public var curl: String { request.curlText(body: body.isEmpty ? .none : .data(body), secretHeaders: secretHeaders) }
}

extension Sequence<StubbedCall> {
    /// The requests as commands for a shell, without secrets, one after another.
    public var curl: String { map(\.curl).joined(separator: "\n") }
}

extension StubbedCall: CustomStringConvertible, CustomReflectable {
    /// Method and URL, or `socket` and URL, with secrets replaced according to `RedactionRules`.
    public var description: String {
        "\(upgrade == nil ? method.rawValue : "socket") \(SecretNames.ofMessages.withoutSecrets(url?.absoluteString ?? ""))"
    }

    /// The description: `dump` shows no headers and no body.
    public var customMirror: Mirror { Mirror(self, children: ["call": description]) }
}

extension StringProtocol {
    /// The text of a form or a query, decoded.
    package var formDecoded: String { replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? String(self) }
}
