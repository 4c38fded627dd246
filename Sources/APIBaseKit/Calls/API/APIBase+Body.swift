import Basics

extension APIBase {
    /// Puts the body into the request and returns its length in bytes, or `nil` if there is no body or it is not known.
    func setBody(of request: inout URLRequest) throws -> Int? {
        if let content {
            if let problem = content.problem {
                throw (problem as? InvalidRequest).map(RequestError.invalidRequest) ?? problem
            }
            if !content.needsReading, !content.isEmpty { request.httpBody = try content.bytes() }
            return content.isEmpty && content.contentType == nil ? nil : content.count.map { Int(clamping: $0) }
        }
        if let bodyStream {
            request.httpBodyStream = bodyStream.stream
            return bodyStream.count
        }
        request.httpBody = try encodeBody()
        return request.httpBody?.count
    }

    /// The headers as they are sent with a body of that length.
    ///
    /// A `Content-Length` that is given stays, for the check to compare.
    func headers(bodyLength: Int?) -> HTTPHeaders {
        var headers = headers
        guard bodyLength != nil || content.map({ !$0.isEmpty }) ?? false else { return headers }
        let contentType = content?.contentType ?? contentType
        if let contentType, !headers.contains(name: "Content-Type") { headers["Content-Type"] = contentType }
        if let bodyLength, !headers.contains(name: "Content-Length") { headers["Content-Length"] = String(bodyLength) }
        return headers
    }

    /// Takes the body for this attempt: it can be sent once, so the first attempt that takes it is the only one.
    func takeBody(of request: URLRequest) throws {
        let stream = request.httpBodyStream
        let body = stream.map(ObjectIdentifier.init) ?? content?.oneShot
        let (isFirst, failure) = lastAttempt.withLock { attempt -> (Bool, (any Error)?) in
            if let taken = attempt.takenBody, taken.body == body { return (false, taken.failure) }
            attempt.takenBody = LastAttempt.TakenBody(body: body)
            return (true, nil)
        }
        guard isFirst else {
            throw TransportError(phase: .request, reason: .bodyNotReplayable, url: request.url, underlying: failure)
        }
        guard stream?.streamStatus ?? .notOpen == .notOpen else {
            throw RequestError.invalidRequest(InvalidRequest(.body, .unreadableStream))
        }
    }

    /// Notes why a call fails whose body cannot be sent again.
    func note(_ failure: any Error) { lastAttempt.withLock { $0.takenBody?.failure = failure } }

    func transportBody(of request: URLRequest) throws -> HTTPBody {
        if let stream = request.httpBodyStream {
            guard let count = request.value(forHTTPHeaderField: "Content-Length").flatMap({ Int64($0) }) else {
                throw RequestError.invalidRequest(InvalidRequest(.headerValue(name: "Content-Length"), .missing))
            }
            return .once(stream, count: count)
        }
        if let body = request.httpBody { return .data(body) }
        return content.flatMap { $0.needsReading ? $0 : nil } ?? .none
    }
}
