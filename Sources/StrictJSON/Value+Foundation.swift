internal import Foundation

extension Value {
    /// The value as data, by the strategy for data.
    func data() throws -> Data {
        guard content.kind != .null else { throw mismatch(Data.self) }
        switch document.settings.data {
        case .deferredToData: return try Data(from: self)
        case .custom(let read): return try read(self)
        default:
            guard let data = Data(base64Encoded: try String.read(self)) else {
                throw corrupted("Encountered Data is not valid Base64.")
            }
            return data
        }
    }

    /// The value as a URL, from a string.
    func url() throws -> URL {
        guard content.kind != .null else { throw mismatch(URL.self) }
        guard let url = URL(string: try String.read(self)) else { throw corrupted("Invalid URL string.") }
        return url
    }

    /// The value as a decimal, from a number.
    func decimal() throws -> Decimal {
        guard content.kind == .number else { throw mismatch(Decimal.self) }
        guard let value = Decimal(string: document.bytes.string(content)) else { throw unrepresentable(Decimal.self) }
        return value
    }
}
