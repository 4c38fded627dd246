package import Foundation

/// The settings of a decoder, with the types of `JSONDecoder`.
package struct DecodingSettings: Sendable {
    var dates: JSONDecoder.DateDecodingStrategy
    var data: JSONDecoder.DataDecodingStrategy
    var floats: JSONDecoder.NonConformingFloatDecodingStrategy
    var keys: JSONDecoder.KeyDecodingStrategy
    var userInfo: [CodingUserInfoKey: any Sendable]

    /// Copies the settings of a decoder.
    init(of decoder: JSONDecoder) {
        dates = decoder.dateDecodingStrategy
        data = decoder.dataDecodingStrategy
        floats = decoder.nonConformingFloatDecodingStrategy
        keys = decoder.keyDecodingStrategy
        userInfo = decoder.userInfo
    }

    /// Copies the settings of a decoder; nil if a ``StrictJSONDecoder`` cannot replace it.
    package init?(supportedOf decoder: JSONDecoder) {
        self.init(of: decoder)
        guard type(of: decoder) == JSONDecoder.self, areSupported, !decoder.allowsJSON5,
            !decoder.assumesTopLevelDictionary
        else { return nil }
    }

    /// A Foundation decoder with these settings.
    var foundationDecoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = dates
        decoder.dataDecodingStrategy = data
        decoder.nonConformingFloatDecodingStrategy = floats
        decoder.keyDecodingStrategy = keys
        decoder.userInfo = userInfo
        return decoder
    }

    /// Whether no strategy changes keys.
    var keepsKeys: Bool {
        if case .useDefaultKeys = keys { true } else { false }
    }

    /// The model's key for a key of the document. `path` is that of the object, for custom strategies.
    func key(_ name: String, at path: @autoclosure () -> [any CodingKey]) -> String {
        switch keys {
        case .convertFromSnakeCase: name.camelCased()
        case .custom(let convert): convert(path() + [PathKey(stringValue: name)]).stringValue
        default: name
        }
    }

    /// Whether this module knows each strategy.
    ///
    /// A newer Foundation may have more cases. Only on Apple systems can it be newer than the program.
    var areSupported: Bool {
        #if canImport(Darwin)
        switch dates {
        case .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601, .formatted, .custom: break
        @unknown default: return false
        }
        switch data {
        case .deferredToData, .base64, .custom: break
        @unknown default: return false
        }
        switch floats {
        case .throw, .convertFromString: break
        @unknown default: return false
        }
        switch keys {
        case .useDefaultKeys, .convertFromSnakeCase, .custom: break
        @unknown default: return false
        }
        #endif
        return true
    }
}

extension String {
    /// The name converted from snake case to camel case: `first_name` becomes `firstName`. Underscores at both ends
    /// stay.
    fileprivate func camelCased() -> String {
        guard utf8.contains(UInt8(ascii: "_")),
            let first = firstIndex(where: { $0 != "_" }), let last = lastIndex(where: { $0 != "_" })
        else { return self }
        let words = self[first...last].split(separator: "_")
        guard words.count > 1 else { return self }
        let joined = words[0].lowercased() + words[1...].map(\.capitalized).joined()
        return self[..<first] + joined + self[index(after: last)...]
    }
}
