/// A decoder that knows where in which document its value is.
package protocol PlaceInJSON {
    var place: JSONPlace { get }
}

/// A value of a document, which lives as long as this.
package struct JSONPlace: Hashable {
    fileprivate let document: Document
    fileprivate let token: UInt32

    package static func == (left: JSONPlace, right: JSONPlace) -> Bool {
        left.token == right.token && left.document === right.document
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(token)
        hasher.combine(ObjectIdentifier(document))
    }
}

extension Value: PlaceInJSON {
    package var place: JSONPlace { JSONPlace(document: document, token: token) }
}
