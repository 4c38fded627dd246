import Basics
import HTTPTransport

/// The `Link` header fields of a reply (RFC 8288, section 3), as far as they say where other resources are.
struct LinkHeader: Hashable {
    /// One link.
    struct Link: Hashable {
        /// The target of the link: a URL, or a reference relative to that of the reply.
        let target: String
        /// The relation types of the first `rel`, in lower case.
        let relations: [String]
    }

    /// The links of the reply itself, in their order. Those of another context, which have an `anchor`, are left out.
    let links: [Link]

    /// Reads the value of the field, or those of several with commas between them. What is broken is left out.
    init(_ text: String) {
        links = text.withBytes { bytes in
            var scan = LinkScan(bytes)
            var links: [Link] = []
            while let entry = scan.next() {
                guard entry.value(of: "anchor") == nil, let relations = entry.value(of: "rel") else { continue }
                links.append(
                    Link(
                        target: entry.target,
                        relations: relations.lowercasedASCII().split { $0 == " " || $0 == "\t" }.map(String.init)
                    )
                )
            }
            return links
        }
    }

    /// The URL of the first link with a relation type that leads to a URL which can be sent. If none does, that of the first
    /// one as it stands, whose call then fails: without it, a list would seem to end here.
    ///
    /// - Parameters:
    ///   - relation: The relation type, compared without case.
    ///   - url: The URL of the reply, against which references are resolved (RFC 3986, section 5).
    /// - Returns: The URL, without a fragment; `nil` if there is no such link.
    func target(of relation: String, from url: URL) -> URL? {
        let relation = relation.lowercasedASCII()
        let targets = links.lazy.filter { $0.relations.contains(relation) }.map(\.target)
        return targets.compactMap { try? url.resolving($0) }.first
            ?? targets.compactMap { URL(string: $0, relativeTo: url)?.absoluteURL }.first
    }
}
