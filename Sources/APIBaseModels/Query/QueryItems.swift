/// The query items of a URL, with access by name: a view of ``APIBase/queryItems``.
///
/// ```swift
/// query["page"] = 2
/// query["tag"] = ["swift", "linux"]       // tag=swift&tag=linux
/// query["page"] = nil                     // removed
/// ```
///
/// Names are case-sensitive. Items keep their order. A name may occur several times.
public struct QueryItems: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The items in their order.
    public var items: [URLQueryItem]

    /// Creates a view of items.
    public init(_ items: [URLQueryItem] = []) {
        self.items = items
    }

    /// Creates the literal's items in their order, without those that are `nil`.
    public init(dictionaryLiteral elements: (String, (any QueryValue)?)...) {
        self.init()
        for (name, value) in elements {
            items += (value?.queryTexts ?? []).map { URLQueryItem(name: name, value: $0) }
        }
    }

    /// The value of the first item with this name; `nil` without such an item, or if it has no value.
    ///
    /// Setting it replaces all items with that name by one, or appends one if there was none. Setting `nil` removes
    /// them.
    public subscript(name: String) -> String? {
        get { items.first { $0.name == name }?.value }
        set { replace(name, by: newValue.map { [$0] } ?? []) }
    }

    /// The value of the items with this name, as a number, a list or another type; `nil` without such an item, or if it
    /// cannot be read as this type.
    ///
    /// Setting a list makes one item for each of its elements, so an empty list leaves no item.
    public subscript<Value: QueryValue>(name: String) -> Value? {
        get {
            let texts = items.filter { $0.name == name }.compactMap(\.value)
            return texts.isEmpty ? nil : Value(queryTexts: texts)
        }
        set { replace(name, by: newValue?.queryTexts ?? []) }
    }

    /// Replaces the items with this name by these values, at the place of the first one.
    mutating func replace(_ name: String, by texts: [String]) {
        let place = items.firstIndex { $0.name == name } ?? items.endIndex
        let before = items[..<place]
        let after = items[place...].filter { $0.name != name }
        items = before + texts.map { URLQueryItem(name: name, value: $0) } + after
    }
}

extension QueryItems: CustomStringConvertible, CustomReflectable {
    /// An empty mirror: `dump` does not show the values.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The names, with `redacted` in place of each value, since any value may be secret.
    public var description: String {
        items.map { $0.value == nil ? $0.name : "\($0.name)=redacted" }.joined(separator: "&")
    }
}
