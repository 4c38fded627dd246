import Foundation

/// A record of exchanges in the format HAR 1.2 (<http://www.softwareishard.com/blog/har-12-spec/>), which browsers
/// export.
///
/// In the files of other programs, what a replay does not need is ignored: pages, initiators, connection timings,
/// fields whose name begins with an underscore. Only what identifies the request and its response is required.
package struct HAR: Codable, Sendable, Hashable {
    package var log: Log

    init(entries: [Entry]) { log = Log(entries: entries) }

    /// All exchanges, in the order in which they started.
    package struct Log: Codable, Sendable, Hashable {
        package var version = "1.2"
        package var creator = Creator()
        package var entries: [Entry]
    }

    package struct Creator: Codable, Sendable, Hashable {
        package var name = "APIBaseKit"
        package var version = PackageVersion.number
    }

    package struct Entry: Codable, Sendable, Hashable {
        package var startedDateTime: String
        /// The milliseconds from the first demand to the last byte.
        package var time: Double
        package var request: Request
        package var response: Response
        package var cache = Cache()
        package var timings: Timings
        package var comment: String?
    }

    /// The use of a cache, which is required by the format and always empty.
    package struct Cache: Codable, Sendable, Hashable {}

    /// The parts of the time in milliseconds. The format has no way to leave these three out, so an unknown one is 0.
    package struct Timings: Codable, Sendable, Hashable {
        package var send: Double = 0
        package var wait: Double = 0
        package var receive: Double = 0
    }
}

extension HAR.Log {
    package init(from decoder: any Decoder) throws {
        entries = try decoder.container(keyedBy: CodingKeys.self).decode([HAR.Entry].self, forKey: .entries)
    }
}

extension HAR.Entry {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        startedDateTime = container.lenient(.startedDateTime) ?? ""
        time = container.lenient(.time) ?? 0
        request = try container.decode(HAR.Request.self, forKey: .request)
        response = try container.decode(HAR.Response.self, forKey: .response)
        timings = container.lenient(.timings) ?? HAR.Timings()
        comment = container.lenient(.comment)
    }
}

extension KeyedDecodingContainer {
    /// The value; nil if it is missing or has another type.
    func lenient<Value: Decodable>(_ key: Key) -> Value? {
        try? decodeIfPresent(Value.self, forKey: key)
    }
}
