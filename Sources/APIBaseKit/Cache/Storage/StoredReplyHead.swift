import Foundation
import HTTPTransport

/// A reply without its body, as it is written into JSON. It has nothing of the request but digests.
struct StoredReplyHead: Codable {
    /// A name with its value: a list of them keeps order and repeats, and values that are not there.
    struct Field<Value: Codable>: Codable {
        var name: String
        var value: Value
    }

    var method: String
    var varying: [Field<Data?>]
    var statusCode: Int
    var headers: [Field<String>]
    var bodyCount: Int

    /// The bits of the seconds since 2001, so that no date is rounded, or refused by JSON.
    var requestedAt: UInt64
    var receivedAt: UInt64
    var isInvalid: Bool

    init(_ reply: StoredReply) {
        method = reply.method.rawValue
        varying = reply.varying.sorted { $0.key < $1.key }.map { Field(name: $0.key, value: $0.value.map { Data($0) }) }
        statusCode = reply.statusCode
        headers = reply.headers.map { Field(name: $0.name, value: $0.value) }
        bodyCount = reply.body.count
        requestedAt = reply.requestedAt.timeIntervalSinceReferenceDate.bitPattern
        receivedAt = reply.receivedAt.timeIntervalSinceReferenceDate.bitPattern
        isInvalid = reply.isInvalid
    }

    /// The reply with its body.
    func reply(body: Data) -> StoredReply {
        var fields = HTTPHeaders()
        for header in headers { fields.add(name: header.name, value: header.value) }
        return StoredReply(
            method: HTTPMethod(rawValue: method),
            varying: Dictionary(varying.map { ($0.name, $0.value.map { [UInt8]($0) }) }) { $1 },
            statusCode: statusCode,
            headers: fields,
            body: body,
            requestedAt: Date(timeIntervalSinceReferenceDate: Double(bitPattern: requestedAt)),
            receivedAt: Date(timeIntervalSinceReferenceDate: Double(bitPattern: receivedAt)),
            isInvalid: isInvalid
        )
    }
}
