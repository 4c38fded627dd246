/// The form in which the properties of a value are written in a query or a form body.
///
/// Servers do not agree on it, and no standard says it. By default lists repeat their name, Booleans are `true` and `false`,
/// dates are as in RFC 3339, names stay as they are, and what is in an object inside the value has the object's name before
/// it: `filter[author]=…`.
public struct QueryStyle: Sendable, Hashable {
    /// Ways to write a list.
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

    /// Ways to write a Boolean.
    public enum Booleans: Sendable, Hashable {
        /// `true` and `false`.
        case words
        /// `1` and `0`.
        case numbers
    }

    /// Ways to write a date.
    public enum Dates: Sendable, Hashable {
        /// `2026-01-31T12:00:00Z` (RFC 3339).
        case iso8601
        /// Seconds since 1970, with a fraction if there is one.
        case secondsSince1970
        /// Milliseconds since 1970.
        case millisecondsSince1970
    }

    /// Ways to write the names of properties.
    public enum Keys: Sendable, Hashable {
        /// `perPage`.
        case asTheyAre
        /// `per_page`.
        case snakeCase
    }

    /// Ways to name the property of an object inside the value.
    public enum Objects: Sendable, Hashable {
        /// `filter[author]`.
        case brackets
        /// `filter.author`.
        case dots
    }

    /// The way lists are written.
    public var arrays: Arrays
    /// The way Booleans are written.
    public var booleans: Booleans
    /// The way dates are written.
    public var dates: Dates
    /// Ways to write the names of properties.
    public var keys: Keys
    /// The way the properties of objects inside the value are named.
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
