import APIBaseKit
import Basics
import OpenAPIDocument

/// Sends the safe operations of a document to a server.
struct LiveCalls {
    private let contract: Contract
    private let base: URL
    private let context: Context

    /// - Throws: `UsageError` if neither the command nor the document has the URL of a server.
    init(_ contract: Contract, base: URL?, _ context: Context) throws {
        guard let base = base ?? contract.mainServer else {
            throw UsageError.missingArgument("--base, since the document has no whole URL of a server,")
        }
        (self.contract, self.base, self.context) = (contract, base, context)
    }

    /// Sends one after another, and compares the replies.
    func compare(_ report: inout VerifyReport) async throws {
        for operation in contract.operations {
            guard ["GET", "HEAD", "OPTIONS", "QUERY"].contains(operation.method) else {
                report.reasons[operation.route] = "not sent, since it may change something"
                continue
            }
            do {
                let request = try contract.sampleRequest(of: operation, base: base, credentials: credential)
                let (data, response) = try await LiveCall(request).value()
                let fields = response.allHeaderFields.compactMap { name, value in
                    (name as? String).map { (name: $0, value: "\(value)") }
                }
                report.add(sent(request), response.statusCode, Message(headers: fields, body: data))
            } catch let gap as SampleGap {
                report.reasons[operation.route] = gap.reason
            } catch {
                report.addUnanswered(operation.route, "no reply: \(error.localizedDescription)")
            }
        }
    }

    private func sent(_ request: URLRequest) -> SentRequest {
        let url = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) } ?? URLComponents()
        let headers = (request.allHTTPHeaderFields ?? [:]).map { (name: $0.key, value: $0.value) }
        return SentRequest(
            method: request.httpMethod ?? "GET",
            url: url,
            pathBelowBase: base.pathBelow(url),
            message: Message(headers: headers, body: Data())
        )
    }

    /// The credential of a security scheme, and the name of the variable of the environment.
    private func credential(_ scheme: String) -> (name: String, value: String?) {
        let words = scheme.replacing(/([a-z0-9])([A-Z])/) { "\($0.1)_\($0.2)" }
        let name =
            "APIBASE_"
            + words.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
        return (name, context.environment[name].flatMap { $0.isEmpty ? nil : $0 })
    }
}

/// One request as it is. Its value is the response, whatever the status, also a redirect.
private final class LiveCall: APIBase, Request {
    typealias ModelType = DataResponseTuple

    private let sample: URLRequest

    init(_ sample: URLRequest) {
        self.sample = sample
        super.init()
    }

    func start() -> AnyPublisher<DataResponseTuple, any Error> { sendRequest() }

    override func buildURLRequest() throws -> URLRequest { sample }

    override func redirect(_ request: URLRequest, after response: HTTPURLResponse) -> URLRequest? { nil }
}
