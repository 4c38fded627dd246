import LoopbackServer
import Basics

/// A page of a list, and the `Link` field with the other pages (RFC 8288).
struct PageLinks {
    let page: Int
    let size: Int
    let total: Int

    /// A page before the first counts as the first. A page after the last is empty.
    init(page: Int?, size: Int, total: Int) {
        self.page = max(1, page ?? 1)
        self.size = max(1, size)
        self.total = total
    }

    var lastPage: Int { total == 0 ? 1 : (total - 1) / size + 1 }

    var range: Range<Int> {
        guard page <= lastPage else { return total..<total }
        let start = (page - 1) * size
        // The client chooses the size, so `start + size` could overflow.
        return start..<(start + min(size, total - start))
    }

    /// The value of `Link`. The URLs are absolute, and keep the other query items, except the one to leave out.
    func header(for request: ServerRequest, pageName: String, sizeName: String, leavingOut: String? = nil) -> String {
        let kept = request.query.filter { ![pageName, sizeName, leavingOut].contains($0.name) }
        var pages = [("first", 1)]
        if page > 1 { pages.append(("prev", min(page - 1, lastPage))) }
        if page < lastPage { pages.append(("next", page + 1)) }
        pages.append(("last", lastPage))
        return pages.map { relation, number in
            let items = kept.map { ($0.name, $0.value) } + [(pageName, String(number)), (sizeName, String(size))]
            let query = items.map { "\($0.0.escapedUnlessUnreserved)=\($0.1.escapedUnlessUnreserved)" }
                .joined(separator: "&")
            return "<\(request.absolutePath)?\(query)>; rel=\"\(relation)\""
        }.joined(separator: ", ")
    }
}
