internal import Foundation

/// The settings of a decoder, in the types of `JSONDecoder`.
struct Settings: Sendable {
    var dates = JSONDecoder.DateDecodingStrategy.deferredToDate
    var data = JSONDecoder.DataDecodingStrategy.base64
    var floats = JSONDecoder.NonConformingFloatDecodingStrategy.throw
    var keys = JSONDecoder.KeyDecodingStrategy.useDefaultKeys
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    init() {}

    /// The settings of a decoder.
    init(of decoder: JSONDecoder) {
        dates = decoder.dateDecodingStrategy
        data = decoder.dataDecodingStrategy
        floats = decoder.nonConformingFloatDecodingStrategy
        keys = decoder.keyDecodingStrategy
        userInfo = decoder.userInfo
    }

    /// A decoder of Foundation's with these settings.
    var foundationDecoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = dates
        decoder.dataDecodingStrategy = data
        decoder.nonConformingFloatDecodingStrategy = floats
        decoder.keyDecodingStrategy = keys
        decoder.userInfo = userInfo
        return decoder
    }

    /// Whether keys stand in the document as the models have them.
    var keepsKeys: Bool {
        if case .useDefaultKeys = keys { true } else { false }
    }

    /// Whether a strategy wants to know where keys are.
    var needsPaths: Bool {
        if case .custom = keys { true } else { false }
    }

    /// The key that a model has for one of the document, in the object at a path, which matters to a custom strategy.
    func key(_ name: String, at path: [any CodingKey]) -> String {
        switch keys {
        case .convertFromSnakeCase: name.camelCased()
        case .custom(let convert): convert(path + [PathKey(name: name)]).stringValue
        default: name
        }
    }
}
