import APIBaseKit
import APIBaseStubs
import HostileServer
import TestTiers
import Testing

private class List: APIBase {}
private final class OtherList: List {}

private final class Pages: List, PagedRequest {
    override init() {
        super.init()
        (baseURL, path) = (URL(string: "http://api.example"), "/x")
    }

    func start() -> AnyPublisher<Int, any Error> { sendRequest().map(\.data.count).eraseToAnyPublisher() }
    func nextPage(after page: Int, _ response: HTTPURLResponse) -> NextPage? { .query(["n": UUID().uuidString]) }
}

/// The cancel of all calls of a class, while a list is read.
@Suite(.tags(.concurrent), .limited) struct CancelAllPagesTests {
    @Test func `A paged list throws CancellationError and fetches nothing more after cancelAll()`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("ok"))
        try await stubs.run {
            var count = 0
            await #expect(throws: CancellationError.self) {
                for try await _ in Pages().eachPage(atMost: 10) {
                    count += 1
                    if count == 3 { List.cancelAll() }
                }
            }
            #expect(count == 3 && stubs.calls.count == 3)
            let taker = Taker(Pages().pages())
            let values = try await taker.values(2)
            #expect(values == [2, 2])
            OtherList.cancelAll()
            #expect(taker.completion == nil)
            List.cancelAll()
            // Later, if the second value is still being delivered on another thread.
            let hasEnded = try await holds { taker.completion != nil }
            #expect(hasEnded)
            guard case .failure(let error) = taker.completion else { return #expect(Bool(false)) }
            #expect(error is CancellationError)
            taker.take(1)
            #expect(stubs.calls.count == 5)
        }
    }
}
