import Foundation

/// The part of a list that a request gets, and the `Link` field that leads to the others (RFC 8288).
struct PageLinks {
    let page: Int
    let size: Int
    let total: Int

    /// A page before the first is the first; one after the last is empty.
    init(page: Int?, size: Int, total: Int) {
        self.page = max(1, page ?? 1)
        self.size = max(1, size)
        self.total = total
    }

    var lastPage: Int { total == 0 ? 1 : (total - 1) / size + 1 }

    /// The indices of the page.
    var range: Range<Int> {
        guard page <= lastPage else { return total..<total }
        let start = (page - 1) * size
        // The size is the client's and may be any number: a sum could overflow.
        return start..<(start + min(size, total - start))
    }

    /// The targets are absolute and keep the query but for the items replaced and those left out.
    func header(for request: ServerRequest, pageName: String, sizeName: String, leavingOut: String? = nil) -> String {
        let kept = request.query.filter { ![pageName, sizeName, leavingOut].contains($0.name) }
        var pages = [("first", 1)]
        if page > 1 { pages.append(("prev", min(page - 1, lastPage))) }
        if page < lastPage { pages.append(("next", page + 1)) }
        pages.append(("last", lastPage))
        let base = request.absolutePath
        return pages.map { relation, number in
            let numbers = [(pageName, String(number)), (sizeName, String(size))]
            let query = (kept.map { ($0.name, $0.value) } + numbers)
                .map { "\(Self.escaped($0.0))=\(Self.escaped($0.1))" }.joined(separator: "&")
            return "<\(base)?\(query)>; rel=\"\(relation)\""
        }.joined(separator: ", ")
    }

    private static func escaped(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}

extension ServerRequest {
    /// The URL the client asked for, without query.
    var absolutePath: String { "http://\(host ?? "localhost")\(path)" }
}
