import Foundation
import HostileServer
import HTTPTransport
import Testing

@Suite struct GunzipTests {
    @Test(arguments: [0, 1, 65_535]) func whatIsCompressedComesBack(count: Int) {
        #expect(Data(Gzip.stored(Data.pattern(count))).gunzipped == Data.pattern(count))
    }

    @Test func aLongTextComesBack() throws {
        let data = Data.pattern(5_000_000)
        let compressed = try HTTPBody.data(data).compressed().bytes()
        #expect(compressed.count < 100_000 && compressed.gunzipped == data)
    }

    @Test func whatIsNotWholeIsNothing() {
        let whole = Data(Gzip.stored(Data.pattern(1_000)))
        for cut in [0, 1, 9, 20, 500, whole.count - 1] { #expect(whole.prefix(cut).gunzipped == nil) }
        #expect((whole + Data([0])).gunzipped == nil)
        #expect(Data("text".utf8).gunzipped == nil)
        #expect(whole.dropFirst(0).gunzipped != nil)
    }

    @Test func aBombIsNothing() {
        let (start, more) = Gzip.endlessZeros
        var bomb = Data(start)
        for _ in 0..<(300 << 20) / 2_064 { bomb.append(contentsOf: more) }
        #expect(bomb.gunzipped == nil)
    }
}
