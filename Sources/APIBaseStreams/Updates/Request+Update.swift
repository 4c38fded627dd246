import Basics
import HTTPTransport

extension Request where Self: JSONAPI, ModelType: Codable {
    /// Reads the resource, changes it, and writes it only if nobody else has written meanwhile (RFC 9110, section
    /// 13.1.1).
    ///
    /// ```swift
    /// let book = try await BookRequest(id: 7).update { $0.title = "Swift" }
    /// ```
    ///
    /// The call of this leaf, a `GET`, reads the value and its `ETag`. The changed value is encoded by
    /// ``JSONAPI/encoder`` and sent to the same URL with `If-Match`. After status 412, the resource is read again, past
    /// the ``APIBase/cache``, and changed and written again. Both calls have the credentials, retries, gate and stubs
    /// of the request object, whose settings stay as they are.
    ///
    /// `update(sending: .mergePatch)` sends by `PATCH` only what `change` has changed: the members that it has set, and
    /// `null` for those that it has removed. Members that the type does not have stay as they are. The values before and
    /// after are compared as JSON. An array is sent whole, and a member that is `null` now is removed, since a merge patch
    /// cannot say otherwise. If nothing differs, nothing is written.
    ///
    /// A write may have been performed although it has failed: its response is lost, late, or a status of 5xx or
    /// 408. If it is retried and the response is 412, the resource is read once more: if it equals what was written,
    /// compared as JSON, the update has succeeded; otherwise the call fails with the 412, and nothing is written again.
    /// So no change is made twice. After a failure before anything was sent, and after another status of 4xx, the
    /// write was not performed, and a 412 means another writer. A value that another writer can make equal, such as a
    /// bare counter, needs a member that tells the writers apart, such as the name of the last. `URLSession`, the
    /// default on Apple systems, may send a `PUT` again without telling; use `.patch` there.
    ///
    /// A weak `ETag` does not meet the condition at servers that follow the RFC, so that it is refused before anything is
    /// written. Others prescribe it, such as those of FHIR and OData: `update(allowingWeakTags: true)` sends it back as it
    /// came. A server that follows the RFC answers that with a 412.
    ///
    /// - Parameters:
    ///   - attempts: The largest number of writes, at least one. The retries of one write count as one.
    ///   - content: What is sent. Its type is ``APIBase/contentType``, or that of a merge patch, unless
    ///     ``APIBase/headers`` have one.
    ///   - method: The method of the write; by default `PUT`, or `PATCH` for a merge patch. An
    ///     ``IdempotencyKey/automatic`` key is made anew for each write.
    ///   - allowingWeakTags: Whether a weak `ETag`, such as `W/"7"`, is sent as well.
    ///   - change: Changes the value. It is called for each read that is followed by a write, and may throw to write
    ///     nothing.
    /// - Returns: The value in the response to the write, decoded by ``JSONAPI/decode(_:from:)``; without a body, the
    ///   value that was written, or the value that was read if there was nothing to write.
    /// - Throws: The errors of ``Request/value()``, of `change` and of the encoder; ``RequestError/missingETag``,
    ///   before anything is written, if the resource has no `ETag` that can be sent; and
    ///   ``RequestError/invalidRequest(_:)`` if the call of this leaf is no `GET`.
    nonisolated(nonsending) public func update(
        attempts: Int = 3,
        sending content: UpdateContent = .value,
        method: HTTPMethod? = nil,
        allowingWeakTags: Bool = false,
        _ change: (inout ModelType) throws -> Void
    ) async throws -> ModelType {
        let update = Update(of: self, start, sending: content, method ?? content.method, allowingWeakTags)
        return try await update.run(attempts, change)
    }
}

extension APICall where ModelType: Codable {
    /// Reads the resource, changes it, and writes it only if nobody else has written meanwhile: see
    /// ``Request/update(attempts:sending:method:allowingWeakTags:_:)``.
    nonisolated(nonsending) public func update(
        attempts: Int = 3,
        sending content: UpdateContent = .value,
        method: HTTPMethod? = nil,
        allowingWeakTags: Bool = false,
        _ change: (inout ModelType) throws -> Void
    ) async throws -> ModelType {
        let update = Update(of: api, start, sending: content, method ?? content.method, allowingWeakTags)
        return try await update.run(attempts, change)
    }
}

/// The calls of an update.
private struct Update<Value: Codable> {
    private let api: JSONAPI
    private let start: () -> AnyPublisher<Value, any Error>
    private let content: UpdateContent
    private let method: HTTPMethod
    private let allowsWeakTags: Bool

    init<Failure>(
        of api: JSONAPI,
        _ start: @escaping () -> AnyPublisher<Value, Failure>,
        sending content: UpdateContent,
        _ method: HTTPMethod,
        _ allowsWeakTags: Bool
    ) {
        (self.api, self.content, self.method, self.allowsWeakTags) = (api, content, method, allowsWeakTags)
        self.start = { start().failingWithAnyError }
    }

    nonisolated(nonsending) func run(_ attempts: Int, _ change: (inout Value) throws -> Void) async throws -> Value {
        guard api.method == .get else { throw RequestError.invalidRequest(.init(.method, .notGET)) }
        let series = CancelableSeries(of: api, in: CallScope.current)
        var (value, tag) = try await read(anew: false)
        var attempt = 1
        while true {
            guard let sent = tag, sent.isSendable, allowsWeakTags || !sent.isWeak else {
                throw RequestError.missingETag
            }
            let old = try content == .mergePatch ? ExactJSON(api.encoder.encode(value)) : nil
            try change(&value)
            try series.check()
            let new = try api.encoder.encode(value)
            var body = new
            if let old {
                guard let patch = try old.mergePatch(to: ExactJSON(new)) else { return value }
                body = Data(patch.text.utf8)
            }
            let write = ChangedCalls(
                of: api,
                to: .write(body, type: content.type, tag: sent, method: method)
            )
            do {
                return try await self.write(value, write)
            } catch let error where write.reply?.head.statusCode == 412 {
                if write.mayBeDone {
                    let current = try await read(anew: true).value
                    guard try ExactJSON(api.encoder.encode(current)) == ExactJSON(new) else { throw error }
                    return current
                }
                guard attempt < attempts else { throw error }
            }
            attempt += 1
            (value, tag) = try await read(anew: true)
        }
    }

    private nonisolated(nonsending) func read(anew: Bool) async throws -> (value: Value, tag: EntityTag?) {
        try Task.checkCancellation()
        let read = ChangedCalls(of: api, to: anew ? .validate : .none)
        let value = try await read.run { start() }.firstValue()
        return (value, read.reply.flatMap { EntityTag($0.head.headers) })
    }

    private nonisolated(nonsending) func write(_ value: Value, _ write: ChangedCalls) async throws -> Value {
        try Task.checkCancellation()
        let replies = write.run { api.sendRequest() }
        return try await replies.mapResponses { [api] reply in
            reply.data.isEmpty ? value : try api.model(Value.self, of: reply)
        }
        .firstValue()
    }
}
