import Foundation
import HostileServer
import HTTPTransport
import TestTiers
import Testing

@Suite struct GunzipTests {
    @Test(arguments: [0, 1, 65_535])
    func `Data.gunzipped restores the original bytes of stored gzip blocks`(count: Int) {
        #expect(Data(Gzip.stored(Data.pattern(count))).gunzipped == Data.pattern(count))
    }

    @Test func `Data.gunzipped restores a compressed request body of 5 MB`() throws {
        let data = Data.pattern(5_000_000)
        let compressed = try HTTPBody.data(data).compressed().bytes()
        #expect(compressed.count < 100_000 && compressed.gunzipped == data)
    }

    @Test func `Data.gunzipped is nil if the data is truncated, has a trailing byte or is not gzip`() {
        let whole = Data(Gzip.stored(Data.pattern(1_000)))
        for cut in [0, 1, 9, 20, 500, whole.count - 1] { #expect(whole.prefix(cut).gunzipped == nil) }
        #expect((whole + Data([0])).gunzipped == nil)
        #expect(Data("text".utf8).gunzipped == nil)
        #expect(whole.dropFirst(0).gunzipped != nil)
    }

    @Test(.heavy) func `Data.gunzipped is nil for a gzip bomb that expands beyond 256 MiB`() {
        let (start, more) = Gzip.endlessZeros
        var bomb = Data(start)
        for _ in 0..<(300 << 20) / 2_064 { bomb.append(contentsOf: more) }
        #expect(bomb.gunzipped == nil)
    }
}
