import Basics

extension HTTPBody {
    /// A form of names and values, as web pages send it (`application/x-www-form-urlencoded`).
    ///
    /// Everything but letters, digits and `*-._` is escaped, a space as `+` (URL standard, section 5.2).
    public static func form(_ fields: [(String, String)]) -> HTTPBody {
        let text = fields.map { "\($0.escapedForForm)=\($1.escapedForForm)" }.joined(separator: "&")
        return .data(Data(text.utf8), type: "application/x-www-form-urlencoded")
    }

    /// A form of names and values in their order, in the syntax of a query:
    /// `.form(["user": name, "tags": ["a", "b"], "page": 2])`.
    public static func form(_ fields: QueryItems) -> HTTPBody {
        form(fields.items.map { ($0.name, $0.value ?? "") })
    }

    /// A form of the properties of a value.
    ///
    /// If the value cannot be encoded as an object, building the request fails with that error.
    ///
    /// - Parameters:
    ///   - value: A value that encodes as an object, such as a struct. Properties that are `nil` are left out.
    ///   - style: The style of names and values.
    /// - Returns: The form.
    @_disfavoredOverload
    public static func form(_ value: some Encodable, style: QueryStyle = QueryStyle()) -> HTTPBody {
        do {
            return form(try style.fields(of: value).map { ($0.name, $0.value) })
        } catch {
            return failed(error)
        }
    }
}
