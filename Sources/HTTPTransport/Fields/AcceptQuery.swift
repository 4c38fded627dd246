import Basics
#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

extension HTTPHeaders {
    /// The media types of the queries that a resource takes with ``HTTPMethod/query``, as `Accept-Query` lists them (RFC
    /// 10008, section 3): types, as they are written in `Content-Type`, and the ranges `text/*` and `*/*`.
    ///
    /// `nil` without the field, and if any part of it is wrong: a structured field is read as a whole (RFC 9651, section
    /// 4.2). The field also comes with responses to other methods, and is the same for all URLs with one path.
    public var acceptedQueryTypes: [String]? {
        guard let field = self["Accept-Query"], let members = StructuredFieldParser.list(field) else { return nil }
        let types = members.compactMap(\.mediaRange)
        return types.count == members.count ? types : nil
    }
}

extension HTTPURLResponse {
    /// The same for a response.
    public var acceptedQueryTypes: [String]? {
        value(forHTTPHeaderField: "Accept-Query").flatMap { (["Accept-Query": $0] as HTTPHeaders).acceptedQueryTypes }
    }
}

extension StructuredField.Member {
    /// The media range of a token or a string, with its parameters; `nil` if it is not a media range.
    fileprivate var mediaRange: String? {
        guard case .item(let item) = self, let range = item.value.words, range.isMediaRange else { return nil }
        let parameters = item.parameters.all.map { parameter in
            parameter.value.words.map { ";\(parameter.name)=\($0.isToken ? $0 : parameter.value.text)" }
        }
        let known = parameters.compactMap(\.self)
        return known.count == parameters.count ? range + known.joined() : nil
    }
}

extension StructuredField.BareItem {
    /// A token or a string, which mean the same here.
    fileprivate var words: String? {
        switch self {
        case .token(let text), .string(let text): text
        default: nil
        }
    }
}

extension String {
    /// Whether it is `type/subtype`, `type/*` or `*/*`.
    fileprivate var isMediaRange: Bool {
        let parts = split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy(\.isToken) else { return false }
        let (type, subtype) = (parts[0], parts[1])
        return (type == "*" ? subtype == "*" : !type.contains("*")) && (subtype == "*" || !subtype.contains("*"))
    }
}
