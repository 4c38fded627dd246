import Basics
import Foundation
import HTTPTransport

/// The file format of responses: a magic with the version, the length of the head, the head as JSON, the bodies, and
/// the SHA-256 of all of that.
struct StoredResponses: Sendable, Equatable {
    /// The first bytes; the last of them is the version.
    private static let magic = Data("APIBaseKit replies\u{02}".utf8)

    /// The number of bytes of the length of the head, a big-endian integer.
    private static let lengthCount = 8

    var responses: [StoredResponse]

    init(_ responses: [StoredResponse]) { self.responses = responses }

    /// Reads bytes. Nil if they are cut off, changed, of another version, or of a status that is never stored.
    init?(_ bytes: Data) {
        let start = Self.magic.count + Self.lengthCount
        guard bytes.count >= start + SHA256.count, bytes.starts(with: Self.magic) else { return nil }
        let content = bytes.dropLast(SHA256.count)
        guard SHA256.digest(of: content).elementsEqual(bytes.suffix(SHA256.count)) else { return nil }

        let digits = content.dropFirst(Self.magic.count).prefix(Self.lengthCount)
        let length = digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let rest = content.dropFirst(start)
        guard length <= UInt64(rest.count),
            let heads = try? JSONDecoder().decode([StoredHead].self, from: Data(rest.prefix(Int(length))))
        else { return nil }
        var bodies = rest.dropFirst(Int(length))
        responses = []
        for head in heads {
            guard (0...bodies.count).contains(head.bodyCount) else { return nil }
            let response = head.response(body: Data(bodies.prefix(head.bodyCount)))
            guard StatusCacheability.isStorable(response.statusCode) else { return nil }
            responses.append(response)
            bodies = bodies.dropFirst(head.bodyCount)
        }
        guard bodies.isEmpty else { return nil }
    }

    /// The bytes. Equal responses have equal bytes.
    var bytes: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let head = try encoder.encode(responses.map(StoredHead.init))
            let bodyCount = responses.reduce(0) { $0 + $1.body.count }
            var bytes = Self.magic
            bytes.reserveCapacity(bytes.count + Self.lengthCount + head.count + bodyCount + SHA256.count)
            withUnsafeBytes(of: UInt64(head.count).bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(head)
            for response in responses { bytes.append(response.body) }
            bytes.append(contentsOf: SHA256.digest(of: bytes))
            return bytes
        }
    }
}

/// A response without its body, as JSON. It has digests of the request only.
private struct StoredHead: Codable {
    /// A name with its value. A list of fields keeps their order, repeated names, and missing values.
    struct Field<Value: Codable>: Codable {
        var name: String
        var value: Value
    }

    var method: String
    var varying: [Field<Data?>]
    var statusCode: Int
    var headers: [Field<String>]
    var bodyCount: Int

    /// The bits of the seconds since 2001: JSON would round some dates, and reject others.
    var requestedAt: UInt64
    var receivedAt: UInt64
    var isInvalid: Bool
    /// The bits of a lifetime that the API has chosen; missing in most responses.
    var lifetime: UInt64?

    init(_ response: StoredResponse) {
        method = response.method.rawValue
        varying = response.varying.sorted { $0.key < $1.key }
            .map { Field(name: $0.key, value: $0.value.map { Data($0) }) }
        statusCode = response.statusCode
        headers = response.headers.map { Field(name: $0.name, value: $0.value) }
        bodyCount = response.body.count
        requestedAt = response.head.requestedAt.timeIntervalSinceReferenceDate.bitPattern
        receivedAt = response.head.receivedAt.timeIntervalSinceReferenceDate.bitPattern
        isInvalid = response.isInvalid
        lifetime = response.head.lifetime?.bitPattern
    }

    func response(body: Data) -> StoredResponse {
        var fields = HTTPHeaders()
        for header in headers { fields.add(name: header.name, value: header.value) }
        let head = ReceivedHead(
            statusCode: statusCode,
            headers: fields,
            requestedAt: Date(timeIntervalSinceReferenceDate: Double(bitPattern: requestedAt)),
            receivedAt: Date(timeIntervalSinceReferenceDate: Double(bitPattern: receivedAt)),
            lifetime: lifetime.map { Double(bitPattern: $0) }
        )
        let varying = Dictionary(varying.map { ($0.name, $0.value.map { [UInt8]($0) }) }) { $1 }
        let method = HTTPMethod(rawValue: method)
        return StoredResponse(method: method, varying: varying, head, body: body, isInvalid: isInvalid)
    }
}
