import Basics
import Foundation
import HTTPTransport

/// The text that is signed (RFC 9421, section 2.5).
enum SignatureBase {
    /// - Parameters:
    ///   - components: What is covered.
    ///   - parameters: The parameters of the signature.
    ///   - message: The message.
    /// - Returns: The text, and the signature's value of `Signature-Input`.
    /// - Throws: ``SigningError/missingComponent(_:)`` or ``SigningError/invalidName(_:)``.
    static func make(
        _ components: [SignatureComponent],
        _ parameters: StructuredField.Parameters,
        of message: HTTPMessage
    ) throws -> (text: String, input: StructuredField.Member) {
        guard Set(components).count == components.count else { throw SigningError.invalidName("a repeated component") }
        let input = StructuredField.Member.list(components.map(\.item), parameters)
        let lines = try components.map { component in
            guard let value = component.value(in: message) else {
                throw SigningError.missingComponent(component.description)
            }
            return "\(component.description): \(value)\n"
        }
        return (lines.joined() + "\"@signature-params\": " + input.text, input)
    }
}

extension SignatureComponent {
    /// The value in a message; `nil` if it is not there, is not ASCII, or if the component is not known.
    func value(in message: HTTPMessage) -> String? {
        // Texts of structured fields are ASCII without line ends, so neither a name nor a value can add a line.
        guard name.isPrintableASCII, name == name.lowercasedASCII() else { return nil }
        var parameters = item.parameters
        let isOfRequest = parameters["req"] == .boolean(true)
        parameters["req"] = nil
        guard let message = isOfRequest ? message.request : message else { return nil }
        let value = name.hasPrefix("@") ? derived(parameters, message) : field(parameters, message.headers)
        return value.flatMap { $0.isPrintableASCII ? $0 : nil }
    }

    private func derived(_ parameters: StructuredField.Parameters, _ message: HTTPMessage) -> String? {
        if case .status(let status) = message.start {
            return name == "@status" && parameters.all.isEmpty && (100...999).contains(status) ? String(status) : nil
        }
        guard case .request(let method, let url) = message.start, let url = try? WireURL(url) else { return nil }
        if name == "@query-param" {
            guard parameters.all.count == 1, case .string(let name)? = parameters["name"] else { return nil }
            return Self.parameter(name, of: url.query ?? "")
        }
        guard parameters.all.isEmpty else { return nil }
        return switch name {
        case "@method": method
        case "@target-uri": url.text
        case "@authority": url.authority.lowercasedASCII()
        case "@scheme": url.scheme
        case "@request-target": url.target
        case "@path": url.path
        case "@query": "?" + (url.query ?? "")
        default: nil
        }
    }

    /// The value of the parameter with this name, both escaped as section 2.2.8 wants.
    private static func parameter(_ name: String, of query: String) -> String? {
        let values = query.split(separator: "&").compactMap { parameter -> String? in
            let own = parameter.prefix { $0 != "=" }
            guard Self.escaped(own) == name else { return nil }
            return Self.escaped(parameter.dropFirst(own.count + 1))
        }
        return values.count == 1 ? values.first : nil
    }

    /// The text of a form, decoded and escaped again.
    private static func escaped(_ text: Substring) -> String {
        let text = String(text.replacing("+", with: " "))
        let decoded = text.withBytes { bytes in
            var (decoded, index) = ([UInt8](), 0)
            while index < bytes.count {
                let escape = bytes.escape(at: index)
                decoded.append(escape ?? bytes[index])
                index += escape == nil ? 1 : 3
            }
            return decoded
        }
        return String(decoding: decoded, as: UTF8.self).escapedForForm.replacing("+", with: "%20")
    }

    private func field(_ parameters: StructuredField.Parameters, _ headers: HTTPHeaders) -> String? {
        guard name.isToken else { return nil }
        let values = headers.values(for: name).map(\.trimmedFieldValue)
        let trimmed = values.compactMap { $0 }
        guard !values.isEmpty, trimmed.count == values.count else { return nil }
        if parameters.all.isEmpty { return trimmed.joined(separator: ", ") }
        guard parameters.all.count == 1 else { return nil }
        if parameters["bs"] == .boolean(true) {
            return trimmed.map { ":" + Data($0.utf8).base64EncodedString() + ":" }.joined(separator: ", ")
        }
        guard case .string(let key)? = parameters["key"],
            let dictionary = StructuredFieldParser.dictionary(trimmed.joined(separator: ", "))
        else { return nil }
        return dictionary.first { $0.key == key }?.member.text
    }
}
