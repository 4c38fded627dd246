@testable import APIBaseSockets
import HTTPTransport
import Testing

struct AutobahnCaseTests {
    @Test(arguments: AutobahnCase.all)
    func `A frame sequence of the Autobahn suite gives its events, in one chunk and in small ones`(row: AutobahnCase) {
        for size in [row.sent.count, 997, row.sent.count < 4096 ? 1 : 1000] {
            let reading = Reading(row.sent.chunks(of: size))
            #expect(reading.events == row.events, "chunks of \(size)")
            #expect(reading.violation?.closeCode == row.violation, "chunks of \(size)")
        }
    }
}
