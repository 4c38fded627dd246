/// The items after the `?` of a URL, found by name: a view on ``APIBase/queryItems``.
///
/// ```swift
/// query["page"] = 2
/// query["tag"] = ["swift", "linux"]       // tag=swift&tag=linux
/// query["page"] = nil                     // gone
/// ```
///
/// Names compare with case. Items keep their order, repeats included.
public struct QueryItems: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The items in their order.
    public var items: [URLQueryItem]

    /// Items that are there already.
    public init(_ items: [URLQueryItem] = []) {
        self.items = items
    }

    /// The literal's items in their order; those that are `nil` are left out.
    public init(dictionaryLiteral elements: (String, (any QueryValue)?)...) {
        self.init()
        for (name, value) in elements { append(name, value?.queryTexts ?? []) }
    }

    /// The value of the first item with this name; `nil` if there is none, or if it is a bare name.
    ///
    /// Setting puts one item in the place of all of that name, or behind the others if there was none. Setting `nil` removes
    /// them.
    public subscript(name: String) -> String? {
        get { items.first { $0.name == name }?.value }
        set { replace(name, by: newValue.map { [$0] } ?? []) }
    }

    /// The value of the items with this name, read as a number, a list or whatever is asked for; `nil` if there is none, or
    /// if it is no such value.
    ///
    /// Setting a list makes one item for each of its elements; an empty one leaves no item.
    public subscript<Value: QueryValue>(name: String) -> Value? {
        get {
            let texts = items.filter { $0.name == name }.compactMap(\.value)
            return texts.isEmpty ? nil : Value(queryTexts: texts)
        }
        set { replace(name, by: newValue?.queryTexts ?? []) }
    }

    /// Puts these values in the place of the first item of that name.
    mutating func replace(_ name: String, by texts: [String]) {
        let place = items.firstIndex { $0.name == name } ?? items.endIndex
        let before = items[..<place]
        let behind = items[place...].filter { $0.name != name }
        items = before + texts.map { URLQueryItem(name: name, value: $0) } + behind
    }

    private mutating func append(_ name: String, _ texts: [String]) {
        items += texts.map { URLQueryItem(name: name, value: $0) }
    }
}

extension QueryItems: CustomStringConvertible, CustomReflectable {
    /// Nothing: `dump` does not show the values either.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The names, with `redacted` in the place of every value: any of them may be secret.
    public var description: String {
        items.map { $0.value == nil ? $0.name : "\($0.name)=redacted" }.joined(separator: "&")
    }
}
