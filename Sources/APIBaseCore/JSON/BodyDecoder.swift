public import PortableCombine
public import StrictJSON

/// The decoder of an API's responses. All are equal, so that it does not affect the comparison of failures that contain
/// it.
package enum BodyDecoder: TopLevelDecoder, Hashable, Sendable {
    /// A ``/StrictJSON/StrictJSONDecoder`` with these settings.
    case strict(DecodingSettings)
    case foundation(JSONDecoder)

    /// The decoder for a call without an API's decoder.
    package static let plain = foundation(JSONDecoder())

    /// The strict decoder with the settings of a new `JSONDecoder`.
    static let standard = BodyDecoder(JSONDecoder(), isStrict: true)

    /// Takes a strict decoder with the same settings, if that is wanted and possible.
    init(_ decoder: JSONDecoder, isStrict: Bool) {
        let strict = isStrict ? DecodingSettings(supportedOf: decoder) : nil
        self = strict.map { .strict($0) } ?? .foundation(decoder)
    }

    package func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        switch self {
        case .strict(let settings): try settings.decode(type, from: data)
        case .foundation(let decoder): try decoder.decode(type, from: data)
        }
    }

    package static func == (left: BodyDecoder, right: BodyDecoder) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}

/// For the operator `decode(type:decoder:)`.
extension StrictJSONDecoder: TopLevelDecoder {}
