/// How the properties of a value are written in a query or a form.
///
/// Servers do not agree on it, and no standard says it. By default lists repeat their name, Booleans are `true` and `false`,
/// dates are as in RFC 3339, names stay as they are, and what is in an object inside the value has the object's name before
/// it: `filter[author]=…`.
public struct QueryStyle: Sendable, Hashable {
    /// How a list is written.
    public enum Arrays: Sendable, Hashable {
        /// `tag=a&tag=b`.
        case repeated
        /// `tag[]=a&tag[]=b`.
        case brackets
        /// `tag[0]=a&tag[1]=b`.
        case indices
        /// `tag=a,b`. An element with a comma in it cannot be told from two.
        case commas
    }

    /// How a Boolean is written.
    public enum Booleans: Sendable, Hashable {
        /// `true` and `false`.
        case words
        /// `1` and `0`.
        case numbers
    }

    /// How a date is written.
    public enum Dates: Sendable, Hashable {
        /// `2026-01-31T12:00:00Z` (RFC 3339).
        case iso8601
        /// Seconds since 1970, with a fraction if there is one.
        case secondsSince1970
        /// Milliseconds since 1970.
        case millisecondsSince1970
    }

    /// How the names of properties are written.
    public enum Keys: Sendable, Hashable {
        /// `perPage`.
        case asTheyAre
        /// `per_page`.
        case snakeCase
    }

    /// How the property of an object inside the value is named.
    public enum Objects: Sendable, Hashable {
        /// `filter[author]`.
        case brackets
        /// `filter.author`.
        case dots
    }

    /// How lists are written.
    public var arrays: Arrays
    /// How Booleans are written.
    public var booleans: Booleans
    /// How dates are written.
    public var dates: Dates
    /// How the names of properties are written.
    public var keys: Keys
    /// How the properties of objects inside the value are named.
    public var objects: Objects

    /// Puts a style together.
    public init(
        arrays: Arrays = .repeated,
        booleans: Booleans = .words,
        dates: Dates = .iso8601,
        keys: Keys = .asTheyAre,
        objects: Objects = .brackets
    ) {
        self.arrays = arrays
        self.booleans = booleans
        self.dates = dates
        self.keys = keys
        self.objects = objects
    }
}
