import PortableCombine
import Testing
import Foundation

@Suite struct SmokeTests {
    final class Base: ObservableObject { @Published var x = 1 }
    @Test func pipeline() {
        var got: [String] = []
        var end = ""
        let c = Just(1).setFailureType(to: (any Error).self).tryMap { $0 + 1 }.tryMap { $0 * 2 }.map { "\($0)" }
            .eraseToAnyPublisher()
            .sink(receiveCompletion: { end = "\($0)" }, receiveValue: { got.append($0) })
        #expect(got == ["4"]); #expect(end == "finished")
        c.cancel()
        let s = CurrentValueSubject<Int, Never>(3)
        var vs: [Int] = []
        var set = Set<AnyCancellable>()
        s.sink {
            vs.append($0); if $0 == 3 { s.send(4) }
        }.store(in: &set)
        s.value = 9
        #expect(vs == [3, 4, 9])
        let b = Base()
        var log: [String] = []
        b.objectWillChange.sink { log.append("will \(b.x)") }.store(in: &set)
        b.$x.sink { log.append("x \($0) was \(b.x)") }.store(in: &set)
        b.x = 5
        #expect(log == ["x 1 was 1", "will 1", "x 5 was 1"])
    }
}
