import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// A request to a text; to nowhere if it is no URL.
    static func make(
        _ method: String = "GET",
        _ url: String = "https://api.example/v1",
        headers: KeyValuePairs<String, String> = [:]
    ) -> URLRequest {
        var request = URLRequest(url: URL(string: url) ?? URL(fileURLWithPath: "/"))
        request.httpMethod = method
        for (name, value) in headers { request.addValue(value, forHTTPHeaderField: name) }
        return request
    }
}

extension Date {
    /// This many seconds after 1970.
    init(_ seconds: Double) { self.init(timeIntervalSince1970: seconds) }
}

extension Data {
    init(_ text: String) { self.init(text.utf8) }
}

/// What `dump` and the descriptions print.
func printed(_ value: Any) -> String {
    var text = String(describing: value) + String(reflecting: value) + "\(value)"
    dump(value, to: &text)
    return text
}
