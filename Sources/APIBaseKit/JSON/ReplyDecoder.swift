internal import StrictJSON

/// The decoder of an API, as its replies are read. It takes no part in comparing the failures that keep it.
enum ReplyDecoder: TopLevelDecoder, Hashable, Sendable {
    case strict(StrictJSONDecoder)
    case foundation(JSONDecoder)

    /// The decoder of a call that has none.
    static let plain = foundation(JSONDecoder())

    /// Takes a strict decoder with the same settings, if that is wanted and there can be one.
    init(_ decoder: JSONDecoder, isStrict: Bool) {
        let strict = isStrict ? StrictJSONDecoder(settingsOf: decoder) : nil
        self = strict.map { .strict($0) } ?? .foundation(decoder)
    }

    func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        switch self {
        case .strict(let decoder): try decoder.decode(type, from: data)
        case .foundation(let decoder): try decoder.decode(type, from: data)
        }
    }

    static func == (left: ReplyDecoder, right: ReplyDecoder) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}
