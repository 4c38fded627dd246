import Basics

/// The differences of the requests of a request object, where the running code builds them; `nil` for none.
package struct RequestChange: CallLocal, Sendable {
    package typealias Target =
        @Sendable (_ path: String, _ items: [URLQueryItem]) -> (path: String, items: [URLQueryItem])

    package static let initial: RequestChange? = nil

    /// Unchecked: it is only compared. It is kept, since another object could have its address otherwise.
    private let object: UncheckedSendable<AnyObject>
    /// The number of the request among those that differ in this way, from 2.
    let number: Int
    /// Another path and query.
    let target: Target
    /// Whether only the query is another one.
    package let isOfQuery: Bool
    /// Members of the JSON in the body; `nil` for those of the request object.
    let members: BodyMembers?

    package init(of object: AnyObject, number: Int, isOfQuery: Bool, members: BodyMembers?, target: @escaping Target) {
        self.object = UncheckedSendable(object)
        (self.number, self.isOfQuery, self.members, self.target) = (number, isOfQuery, members, target)
    }

    /// The change for a request object; `nil` for another one, as in a `start()` or in the refresh of a token.
    package static func of(_ object: AnyObject) -> RequestChange? {
        CallLocals.here[RequestChange.self].flatMap { $0.object.value === object ? $0 : nil }
    }
}

/// Members that the JSON in a body gets, in place of those with their names.
package struct BodyMembers: Sendable, Hashable {
    /// The JSON texts of the values.
    private let values: [String: Data]
    /// The member of the body that has them; `nil` for the body itself.
    private let place: String?

    package init(_ values: [String: Data], in place: String?) { (self.values, self.place) = (values, place) }

    /// The body with these members. A missing one is made.
    ///
    /// - Throws: ``RequestError/unreadablePage(_:)`` if the body, or the member that is to have them, is no JSON object.
    func set(in body: Data?) throws(RequestError) -> Data {
        let body = body ?? Data("{}".utf8)
        // Not only the beginning of an object, and not several.
        guard (try? JSONDecoder().decode([String: JSONValue].self, from: body)) != nil else { throw Self.noObject }
        guard let place else { return try Self.set(values, in: body) }
        let old = body.value(ofMember: place).flatMap { $0 == Data("null".utf8) ? nil : $0 }
        return try Self.set([place: Self.set(values, in: old ?? Data("{}".utf8))], in: body)
    }

    private static func set(_ values: [String: Data], in object: Data) throws(RequestError) -> Data {
        guard let object = object.settingMembers(values) else { throw noObject }
        return object
    }

    static let noObject = RequestError.unreadablePage(
        "It is named in the JSON of the body, but the body of the request is no JSON object."
    )
}
