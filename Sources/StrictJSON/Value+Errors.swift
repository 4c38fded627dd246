// Off the paths that values take: only here is it found where a value is.
extension Value {
    /// That the value is null, or of another type than wanted; or that a container cannot be made of it.
    ///
    /// Null instead of a truth value is of another type, as Foundation has it.
    @inline(never) func mismatch(_ type: Any.Type, _ container: String? = nil) -> DecodingError {
        guard content.kind == .null, type != Bool.self else {
            let text = "Expected to decode \(type) but found \(content.kind.name) instead."
            return .typeMismatch(type, context(text))
        }
        let wanted = container ?? "value of type \(type)"
        return .valueNotFound(type, context("Cannot get \(wanted) -- found null value instead"))
    }

    /// That the value is of the right type and not to be used.
    @inline(never) func corrupted(_ text: String) -> DecodingError { .dataCorrupted(context(text)) }

    /// That a number does not fit.
    @inline(never) func unrepresentable(_ type: Any.Type) -> DecodingError {
        corrupted("Number \(document.bytes.string(content)) is not representable as \(type).")
    }

    private func context(_ text: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: codingPath, debugDescription: text)
    }
}

extension Token.Kind {
    /// What it is called in messages.
    var name: String {
        switch self {
        case .null: "null"
        case .yes, .no: "bool"
        case .number: "number"
        case .string: "a string"
        case .array: "an array"
        case .object: "a dictionary"
        }
    }
}
