import APIBaseSigning
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct MessageSignatureTests {
    private static let key = HMACKey("a key of thirty-two bytes, or so.")
    private static let now = Date(1_618_884_473)

    private func problem(
        _ request: URLRequest = .make(),
        at date: Date = now,
        nonce: String? = nil,
        _ change: (inout MessageSignature) -> Void
    ) async -> SigningError? {
        var signature = MessageSignature(.hmac(Self.key), over: [.method])
        change(&signature)
        do {
            _ = try await signature.signed(request, nonce: nonce, at: date)
            return nil
        } catch { return error as? SigningError }
    }

    @Test func `MessageSignature throws SigningError for a bad label, key ID, nonce, date or component`() async throws {
        #expect(await problem { _ in } == nil)
        #expect(await problem { $0.label = "A" } == .invalidName("A"))
        #expect(await problem { $0.label = "" } == .invalidName(""))
        #expect(await problem { $0.keyID = "é" } == .invalidName("é"))
        #expect(await problem(nonce: "a\nb") { _ in } == .invalidName("a\nb"))
        #expect(await problem(nonce: "\u{0}") { _ in } == .invalidName("\u{0}"))
        #expect(await problem(at: Date(-1)) { _ in } == .invalidDate)
        #expect(await problem { $0.components = ["x-missing"] } == .missingComponent(#""x-missing""#))
        #expect(await problem { $0.components = [.contentDigest] } == .missingComponent(#""content-digest""#))
        #expect(await problem { $0.components = [.status] } == .missingComponent(#""@status""#))
        #expect(await problem { $0.components = [.path, .path] } == .invalidName("a repeated component"))
        let longest = Duration.seconds(253_402_300_799 - Int64(Self.now.timeIntervalSince1970))
        #expect(
            await problem { $0.lifetime = .milliseconds(10) } == .invalidLifetime(.milliseconds(10), longest: longest)
        )
        #expect(await problem { $0.lifetime = .seconds(Int64.max) } == .invalidDate)
        #expect(await problem(.make("GET", "/a")) { $0.components = [.path] } == .missingComponent(#""@path""#))
        let twice = URLRequest.make("GET", "https://a.example/?a=1&a=2")
        #expect(
            await problem(twice) { $0.components = [.queryParameter("a")] }
                == .missingComponent(#""@query-param";name="a""#)
        )
        let damaged = URLRequest.make(headers: ["Signature": "("])
        #expect(await problem(damaged) { _ in } == .invalidHeader(name: "Signature"))
        let empty = MessageSignature(.hmac(HMACKey("")), over: [])
        await #expect(throws: SigningError.emptyKey) { try await empty.signed(.make(), at: Self.now) }
        struct Refused: Error {}
        let refusing = MessageSignature(.custom { _ in throw Refused() }, over: [])
        await #expect(throws: Refused.self) { try await refusing.signed(.make(), at: Self.now) }
    }
}
