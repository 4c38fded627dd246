import Foundation

/// A record of exchanges in the format HAR 1.2 (<http://www.softwareishard.com/blog/har-12-spec/>), which browsers
/// export.
///
/// In the files of other programs, what a replay does not need may be anything: pages, initiators, timings, fields whose
/// name begins with an underscore. Only `log.entries` must be an array, and one of the entries must have a request. An
/// entry without a request, or without a response, answers nothing, and keeps its number.
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
        /// The request; without method and URL if there is none that can be read.
        package var request: Request
        /// The response; with status 0, as browsers write it, if there is none that can be read.
        package var response: Response
        package var cache = Cache()
        package var timings: Timings
        package var comment: String?
        /// `websocket` for an entry with messages, as Chrome writes it.
        package private(set) var resourceType: String?
        /// The messages of a socket; nil for another exchange.
        package var messages: [WebSocketMessage]? { didSet { resourceType = messages.map { _ in Self.socket } } }

        fileprivate static let socket = "websocket"

        enum CodingKeys: String, CodingKey {
            case startedDateTime, time, request, response, cache, timings, comment
            case resourceType = "_resourceType"
            case messages = "_webSocketMessages"
        }
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
        let container = try decoder.container(keyedBy: CodingKeys.self)
        entries = try container.decode([Lenient<HAR.Entry>].self, forKey: .entries).map { $0.value ?? .empty }
    }
}

extension HAR.Entry {
    /// The entry in place of one that is no object.
    fileprivate static let empty = HAR.Entry(
        startedDateTime: "",
        time: 0,
        request: .missing,
        response: .missing,
        timings: HAR.Timings()
    )

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        startedDateTime = container.lenient(.startedDateTime) ?? ""
        time = container.lenient(.time) ?? 0
        request = container.lenient(.request) ?? .missing
        response = container.lenient(.response) ?? .missing
        timings = container.lenient(.timings) ?? HAR.Timings()
        comment = container.lenient(.comment)
        messages = (container.lenient(.messages) as [Lenient<HAR.WebSocketMessage>]?)?.compactMap(\.value)
        resourceType = messages.map { _ in Self.socket }
    }
}

extension HAR.Timings {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        send = container.lenient(.send) ?? 0
        wait = container.lenient(.wait) ?? 0
        receive = container.lenient(.receive) ?? 0
    }
}

/// A value, or nil if it has another type.
struct Lenient<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

extension KeyedDecodingContainer {
    /// The value; nil if it is missing or has another type.
    func lenient<Value: Decodable>(_ key: Key) -> Value? {
        try? decodeIfPresent(Value.self, forKey: key)
    }

    /// The text; also of a number, which some tools write in its place.
    func text(_ key: Key) -> String? {
        lenient(key) ?? (lenient(key) as Int?).map { String($0) } ?? (lenient(key) as Bool?).map { String($0) }
    }

    /// The fields that have a name, of an array or of an object.
    func fields(_ key: Key) -> [HAR.Field] {
        if let array: [Lenient<HAR.Field>] = lenient(key) { return array.compactMap(\.value) }
        let object: [String: Lenient<String>] = lenient(key) ?? [:]
        return object.sorted { $0.key < $1.key }.map { HAR.Field(name: $0.key, value: $0.value.value ?? "") }
    }
}
