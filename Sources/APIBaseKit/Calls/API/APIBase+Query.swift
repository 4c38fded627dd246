extension APIBase {
    /// The items after the `?`, found by name: a view on ``queryItems``.
    public var query: QueryItems {
        get { QueryItems(queryItems) }
        set { queryItems = newValue.items }
    }

    /// Puts the properties of a value into the query, each in the place of what has its name. Other items stay.
    ///
    /// - Parameters:
    ///   - value: A value that encodes as an object, such as a struct. Properties that are `nil` are left out.
    ///   - style: How names and values are written.
    /// - Throws: `EncodingError` for a value that is no object, and what the value itself throws. The query is as it was
    ///   then.
    public func setQuery(_ value: some Encodable, style: QueryStyle = QueryStyle()) throws {
        let fields = try style.fields(of: value)
        var texts = Dictionary(grouping: fields, by: \.name).mapValues { $0.map(\.value) }
        let names = Set(texts.keys)
        func takeItems(_ name: String) -> [URLQueryItem] {
            (texts.removeValue(forKey: name) ?? []).map { URLQueryItem(name: name, value: $0) }
        }
        let items = queryItems.flatMap { names.contains($0.name) ? takeItems($0.name) : [$0] }
        queryItems = items + fields.flatMap { takeItems($0.name) }
    }
}
