/// An error in the arguments.
enum UsageError: Error, Hashable, CustomStringConvertible {
    case unknownCommand(String)
    case unknownOption(String)
    case missingValue(option: String)
    case badValue(option: String, value: String, expected: String)
    case missingArgument(String)
    case unexpectedArgument(String)
    case notTogether(String, String)
    case needs(String, String)
    case unavailable(String, reason: String)

    var description: String {
        switch self {
        case .unknownCommand(let name):
            "there is no command “\(name)”." + (Command.nearest(to: name).map { " Is “\($0.name)” meant?" } ?? "")
        case .unknownOption(let name): "there is no option “\(name)” here."
        case .missingValue(let option): "the option “\(option)” needs a value."
        case .badValue(let option, let value, let expected): "“\(value)” is no value for “\(option)”: \(expected)."
        case .missingArgument(let name): "\(name) is missing."
        case .unexpectedArgument(let text): "“\(text)” is one argument too many."
        case .notTogether(let one, let other): "“\(one)” and “\(other)” do not go together."
        case .needs(let one, let other): "“\(one)” needs “\(other)”."
        case .unavailable(let name, let reason): "the value of “\(name)” cannot be had: \(reason)."
        }
    }
}
