internal import Basics
public import Foundation

/// A JSON decoder that is several times faster than Foundation's and rejects everything that is not JSON (RFC 8259).
///
/// It has the settings of `JSONDecoder`, gives the same values, and fails with the same kinds of `DecodingError`;
/// <doc:HowItWorks> names what differs.
///
/// ```swift
/// let decoder = StrictJSONDecoder()
/// decoder.dateDecodingStrategy = .iso8601
/// let users = try decoder.decode([User].self, from: data)
/// ```
///
/// Several threads may use one decoder at a time. Each call uses the settings at its start.
public final class StrictJSONDecoder: Sendable {
    /// The type of the input, as Combine's `TopLevelDecoder` requires.
    public typealias Input = Data

    private let settings: Locked<DecodingSettings>

    /// Creates a decoder with the settings of a new `JSONDecoder`.
    public init() { settings = Locked(DecodingSettings(of: JSONDecoder())) }

    /// Creates a decoder with the settings of a `JSONDecoder`.
    ///
    /// - Returns: nil if this decoder cannot replace that one: if that one reads JSON5, assumes a top-level dictionary,
    ///   is of a subclass, or has a strategy that is newer than this module.
    public init?(settingsOf decoder: JSONDecoder) {
        guard let settings = DecodingSettings(supportedOf: decoder) else { return nil }
        self.settings = Locked(settings)
    }

    /// The strategy for `Date`. By default it is a number of seconds since 2001.
    public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy {
        get { settings.withLock { $0.dates } }
        set { settings.withLock { $0.dates = newValue } }
    }

    /// The strategy for `Data`. By default it is a Base64 string.
    public var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy {
        get { settings.withLock { $0.data } }
        set { settings.withLock { $0.data = newValue } }
    }

    /// The strategy for infinity and NaN. By default they are errors.
    public var nonConformingFloatDecodingStrategy: JSONDecoder.NonConformingFloatDecodingStrategy {
        get { settings.withLock { $0.floats } }
        set { settings.withLock { $0.floats = newValue } }
    }

    /// The strategy that converts a key of the document to a model's key. By default they are equal.
    public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy {
        get { settings.withLock { $0.keys } }
        set { settings.withLock { $0.keys = newValue } }
    }

    /// The `userInfo` of the decoders that models receive. Empty by default.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { settings.withLock { $0.userInfo } }
        set { settings.withLock { $0.userInfo = newValue } }
    }

    /// Reads a value from a document.
    ///
    /// The document is in UTF-8, or in UTF-16 or UTF-32 if its first bytes say so. Arrays and objects may be nested 512
    /// deep. A `JSONDecoder` reads documents of two gigabytes or more, and all if a strategy is newer than this module.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: The whole document. It is copied.
    /// - Returns: The value.
    /// - Throws: `DecodingError.dataCorrupted` with an empty path if any part of the document is not JSON; the other
    ///   cases if it does not match the type; and errors of the type's initializer.
    public func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        try settings.withLock { $0 }.decode(type, from: data)
    }

    /// Reads a value of a type that requires a configuration.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: The whole document, as for ``decode(_:from:)``.
    ///   - configuration: The configuration of the type.
    /// - Returns: The value.
    /// - Throws: As ``decode(_:from:)``.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    public func decode<Model: DecodableWithConfiguration>(
        _ type: Model.Type,
        from data: Data,
        configuration: Model.DecodingConfiguration
    ) throws -> Model {
        try settings.withLock { $0 }.read(data) {
            try Model(from: $0, configuration: configuration)
        } orElse: {
            try $0.decode(type, from: data, configuration: configuration)
        }
    }
}

extension DecodingSettings {
    /// Reads a value as ``StrictJSONDecoder/decode(_:from:)`` does.
    package func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        try read(data) {
            try $0.model(type)
        } orElse: {
            try $0.decode(type, from: data)
        }
    }

    /// The result of `ours`, or of `theirs` if this module cannot read the document.
    fileprivate func read<Model>(
        _ data: Data,
        by ours: (Value) throws -> Model,
        orElse theirs: (JSONDecoder) throws -> Model
    ) throws -> Model {
        guard areSupported, data.count < Int32.max else { return try theirs(foundationDecoder) }
        let document: Document
        do throws(SyntaxError) {
            document = try Document(data.asUTF8(), settings: self)
        } catch {
            let text = "The given data was not valid JSON: \(error)."
            let context = DecodingError.Context(codingPath: [], debugDescription: text, underlyingError: error)
            throw DecodingError.dataCorrupted(context)
        }
        return try ours(Value(document: document, token: 0, parent: Token.none, ordinal: 0))
    }
}
