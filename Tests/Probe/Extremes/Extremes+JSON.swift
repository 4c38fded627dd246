#if os(Linux) && !canImport(Combine)
import DemoServer
import APIBaseKit
import Foundation
import StrictJSON

extension Extremes {
    /// `same` if both decoders give the same value for a text, or both fail.
    private static func compare<Model: Decodable & Equatable>(
        _ type: Model.Type,
        _ text: String,
        _ dates: JSONDecoder.DateDecodingStrategy = .deferredToDate
    ) -> String {
        let (strict, foundation, data) = (StrictJSONDecoder(), JSONDecoder(), Data("[\(text)]".utf8))
        strict.dateDecodingStrategy = dates
        foundation.dateDecodingStrategy = dates
        let values = (try? strict.decode([Model].self, from: data), try? foundation.decode([Model].self, from: data))
        return values.0 == values.1 ? "same" : "\(values)"
    }

    static var json: [Row] {
        let integers = ["\(Int.min)", "\(Int.max)", "9223372036854775808", "1e18", "1e999999999999"].map { ($0, $0) }
        let numbers = ["1e308", "1e309", "-1e309", "1e-999", "4.9e-324"].map { ($0, $0) }
        let times = ["1e308", "-1e308", "1e309", "0", "\"9999999999-01-01T00:00:00Z\""].map { ($0, $0) }
        let depths = [("1000", 1_000), ("1000000", 1_000_000)]
        return all(
            rows("Int", integers, "same") { compare(Int.self, $0) },
            rows("Double", numbers, "same") { compare(Double.self, $0) },
            rows("Float", numbers, "same") { compare(Float.self, $0) },
            rows("Decimal", numbers, "same") { compare(Decimal.self, $0) },
            rows("deferredToDate", times, "same") { compare(Date.self, $0) },
            rows("secondsSince1970", times, "same") { compare(Date.self, $0, .secondsSince1970) },
            rows("millisecondsSince1970", times, "same") { compare(Date.self, $0, .millisecondsSince1970) },
            rows("iso8601", times, "same") { compare(Date.self, $0, .iso8601) },
            rows("depth", depths, "DecodingError") { depth in
                let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
                return "\(try StrictJSONDecoder().decode([[Int]].self, from: Data(text.utf8)).count)"
            }
        )
    }

    static var server: [Row] {
        /// The status of a call to a demo server with this configuration.
        @Sendable func status(_ path: String, _ change: (inout DemoAPIServer.Configuration) -> Void) async throws
            -> String
        {
            var configuration = DemoAPIServer.Configuration()
            change(&configuration)
            let server = DemoAPIServer(configuration: configuration)
            let url = try server.start()
            defer { server.stop() }
            let call = Plain()
            (call.baseURL, call.path) = (url, path)
            call.query = ["client_id": "key"]
            return try await call.value().split(separator: ",")[0].description
        }
        return all(
            rows("photoRequestsPerHour", integers, "403", "403", "403", "200", "200") { count in
                try await status("/unsplash/photos") { $0.photoRequestsPerHour = count }
            },
            rows("tokenLifetime", durations, "401", "401", "401", "401", "200") { time in
                var configuration = DemoAPIServer.Configuration()
                configuration.tokenLifetime = time
                let server = DemoAPIServer(configuration: configuration)
                let url = try server.start()
                defer { server.stop() }
                return try await login(at: url)
            },
            rows("now", dates, "200") { date in try await status("/unsplash/photos") { $0.now = { date } } },
            rows("port", [("0", 0), ("max, in use or not", .max)] as [(String, UInt16)], "200") { port in
                do { return try await status("/unsplash/photos") { $0.port = port } } catch DemoAPIServer.StartError
                    .portInUse
                {
                    return "200"
                }
            }
        )
    }

    /// The status of a list of todos with a new token.
    private static func login(at url: URL) async throws -> String {
        struct User: Encodable {
            let name = "N", email = "n@example.com", password = "password12", verifyPassword = "password12"
        }
        struct Token: Decodable { let string: String }
        final class Login: JSONAPI, Request { typealias ModelType = Token }
        final class SignUp: JSONAPI, Request { typealias ModelType = Void }
        let signUp = SignUp(.post("/users", json: User()))
        signUp.baseURL = url
        try await signUp.value()
        let login = Login(.post("/login"))
        (login.baseURL, login.authorization) = (url, .basic(user: "n@example.com", password: "password12"))
        let token = try await login.value()
        let todos = Plain()
        (todos.baseURL, todos.path, todos.authorization) = (url, "/todos", .bearer(token.string))
        return try await todos.value().split(separator: ",")[0].description
    }
}
#endif
