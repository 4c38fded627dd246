import Basics

extension Request where Self: JSONAPI, ModelType == String, Failure == any Error {
    /// The call. Its value is the text of the response: a body of a type `text/*` as it is, in the charset that the
    /// response names, or in UTF-8; of another type, such as `application/json`, a string in JSON that is decoded as
    /// with ``JSONAPI/decoded(_:)``.
    ///
    /// Unless ``JSONAPI/acceptedTypes`` is set, this method adds `text/*` to it, with a lower preference in the header
    /// `Accept`. A leaf that does not want the page of a proxy sets `acceptedTypes = ["text/plain"]`.
    ///
    /// - Returns: A publisher that fails with ``RequestError/undecodable(_:)`` for a charset that is not known, and for
    ///   bytes that are no text in it.
    @inlinable public func start() -> AnyPublisher<String, any Error> { text() }
}

extension JSONAPI {
    @inlinable func text() -> AnyPublisher<String, any Error> {
        acceptText()
        return sendRequest().mapResponses { [self] reply in try text(of: reply) }
    }

    @usableFromInline func text(of reply: CallResponse) throws -> String {
        guard let type = reply.head.value(of: "content-type"), MediaType(type).isPlainText else {
            return try model(String.self, of: reply)
        }
        do throws(TextBody.Undecodable) {
            return try TextBody.text(of: reply.data, type: type)
        } catch {
            throw recorded(RequestError.undecodable(UndecodableReply(error, reply.tuple, by: bodyDecoder)))
        }
    }
}

extension MediaType {
    /// Whether bodies of the type are text, and not JSON.
    fileprivate var isPlainText: Bool {
        type.equalsIgnoringCase("text") && !isJSON
            && !subtype.lowercased().hasSuffix("+json")
    }
}
