import Basics

/// A list: its request object, the call of a page, and the page that follows another.
struct PageList<Page> {
    let object: APIBase
    let start: () -> AnyPublisher<Page, any Error>
    let next: (Page, HTTPURLResponse) -> NextPage?

    func eachPage(atMost: Int) -> CallSequence<Page> {
        let site = CallSite()
        return CallSequence { AwaitedPages(PageCalls(of: self, at: site, atMost: atMost)) }
    }

    func eachElement<Elements: Collection>(
        _ elements: @escaping (Page) -> Elements
    ) -> CallSequence<Elements.Element> {
        let site = CallSite()
        return CallSequence { AwaitedElements(AwaitedPages(PageCalls(of: self, at: site, atMost: .max)), elements) }
    }

    func pages(atMost: Int) -> AnyPublisher<Page, any Error> {
        guard atMost > 0 else { return Empty().eraseToAnyPublisher() }
        let site = CallSite()
        return Deferred {
            let calls = PageCalls(of: self, at: site, atMost: atMost)
            return Pulled(in: calls.series) { PublishedPages(calls) }
        }
        .eraseToAnyPublisher()
    }
}
