internal import Basics
public import Foundation

/// A decoder of JSON that takes a fraction of the time of Foundation's, and refuses what is not JSON (RFC 8259).
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
/// One decoder may be used by several threads at a time. Each call goes by the settings at its beginning.
public final class StrictJSONDecoder: Sendable {
    /// The type of the input: for Combine's `TopLevelDecoder`.
    public typealias Input = Data

    private let settings: Locked<Settings>

    /// Creates a decoder with the settings that a new `JSONDecoder` has.
    public init() { settings = Locked(Settings(of: JSONDecoder())) }

    /// Creates a decoder with the settings of Foundation's.
    ///
    /// - Returns: nil if that decoder does what this one cannot do: if it reads JSON5, assumes the braces of the outermost
    ///   object, is of a class of its own, or has a strategy that is newer than this module.
    public init?(settingsOf decoder: JSONDecoder) {
        let settings = Settings(of: decoder)
        guard type(of: decoder) == JSONDecoder.self, settings.areSupported, !decoder.allowsJSON5,
            !decoder.assumesTopLevelDictionary
        else { return nil }
        self.settings = Locked(settings)
    }

    /// The strategy for a `Date`. By default it is read as `Date` reads itself: a number of seconds since 2001.
    public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy {
        get { settings.withLock { $0.dates } }
        set { settings.withLock { $0.dates = newValue } }
    }

    /// The strategy for `Data`. By default it is read from a string in Base64.
    public var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy {
        get { settings.withLock { $0.data } }
        set { settings.withLock { $0.data = newValue } }
    }

    /// The strategy for numbers that JSON has no notation for. By default they are refused.
    public var nonConformingFloatDecodingStrategy: JSONDecoder.NonConformingFloatDecodingStrategy {
        get { settings.withLock { $0.floats } }
        set { settings.withLock { $0.floats = newValue } }
    }

    /// The strategy by which a key of the document becomes one of a model. By default it is the same.
    public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy {
        get { settings.withLock { $0.keys } }
        set { settings.withLock { $0.keys = newValue } }
    }

    /// The `userInfo` of the decoders that models get. Empty by default.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { settings.withLock { $0.userInfo } }
        set { settings.withLock { $0.userInfo = newValue } }
    }

    /// Reads a value from a document.
    ///
    /// The document is in UTF-8, or in UTF-16 or UTF-32 if its first bytes say so; arrays and objects are at most 512 deep.
    /// One of two gigabytes or more, and any with a strategy that is newer than this module, is read by a `JSONDecoder`.
    ///
    /// - Parameters:
    ///   - type: What to read.
    ///   - data: The whole document. It is copied.
    /// - Returns: The value.
    /// - Throws: `DecodingError.dataCorrupted` with an empty path if the document is not JSON, even where nobody would have
    ///   read it; the other cases if it is not what the type wants; and what the type itself throws.
    public func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        try read(data) {
            try $0.model(type)
        } orElse: {
            try $0.decode(type, from: data)
        }
    }

    /// Reads a value of a type that needs a configuration to be read.
    ///
    /// - Parameters:
    ///   - type: What to read.
    ///   - data: The whole document, as for ``decode(_:from:)``.
    ///   - configuration: What the type needs.
    /// - Returns: The value.
    /// - Throws: As ``decode(_:from:)``.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    public func decode<Model: DecodableWithConfiguration>(
        _ type: Model.Type,
        from data: Data,
        configuration: Model.DecodingConfiguration
    ) throws -> Model {
        try read(data) {
            try Model(from: $0, configuration: configuration)
        } orElse: {
            try $0.decode(type, from: data, configuration: configuration)
        }
    }

    /// The result of `ours`, or that of `theirs` where this module cannot read the document.
    private func read<Model>(
        _ data: Data,
        by ours: (Value) throws -> Model,
        orElse theirs: (JSONDecoder) throws -> Model
    ) throws -> Model {
        let settings = settings.withLock { $0 }
        guard settings.areSupported, data.count < Int32.max else { return try theirs(settings.foundationDecoder) }
        let document: Document
        do throws(SyntaxError) {
            document = try Document(data.asUTF8(), settings: settings)
        } catch {
            let text = "The given data was not valid JSON: \(error)."
            let context = DecodingError.Context(codingPath: [], debugDescription: text, underlyingError: error)
            throw DecodingError.dataCorrupted(context)
        }
        return try ours(Value(document: document, token: 0, parent: Token.none, ordinal: 0))
    }
}
