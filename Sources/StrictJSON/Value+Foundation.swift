internal import Foundation

extension Value {
    /// The value as a date, by the strategy for dates.
    func date() throws -> Date {
        guard content.kind != .null else { throw mismatch(Date.self) }
        switch document.settings.dates {
        case .deferredToDate:
            return Date(timeIntervalSinceReferenceDate: try double())
        case .secondsSince1970:
            return Date(timeIntervalSince1970: try double())
        case .millisecondsSince1970:
            return Date(timeIntervalSince1970: try double() / 1000)
        case .iso8601:
            return try internetDate()
        default:
            return try specialDate()
        }
    }

    private func internetDate() throws -> Date {
        let token = content
        guard token.kind == .string else { throw mismatch(String.self) }
        if token.length == 20, let date = document.bytes.internetDate(at: Int(token.start)) { return date }
        guard let date = try? Date.ISO8601FormatStyle().parse(document.string(token)) else {
            throw corrupted("Expected date string to be ISO8601-formatted.")
        }
        return date
    }

    /// The value as data, by the strategy for data.
    func data() throws -> Data {
        guard content.kind != .null else { throw mismatch(Data.self) }
        switch document.settings.data {
        case .deferredToData: return try Data(from: self)
        case .custom(let read): return try read(self)
        default:
            guard let data = Data(base64Encoded: try string()) else {
                throw corrupted("Encountered Data is not valid Base64.")
            }
            return data
        }
    }

    /// The value as a URL, from a string.
    func url() throws -> URL {
        guard content.kind != .null else { throw mismatch(URL.self) }
        guard let url = URL(string: try string()) else { throw corrupted("Invalid URL string.") }
        return url
    }

    /// The value as a decimal, from a number.
    func decimal() throws -> Decimal {
        guard content.kind == .number else { throw mismatch(Decimal.self) }
        guard let value = Decimal(string: document.string(content)) else { throw unrepresentable(Decimal.self) }
        return value
    }
}
