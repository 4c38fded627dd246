@testable import APIBaseSigning
import Basics
import Foundation
import Testing

@Suite struct HMACTests {
    /// RFC 4231, sections 4.2 to 4.8: key and data, by bytes or as repetitions.
    @Test(arguments: [
        ("0b*20", "4869205468657265", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        (
            "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        ("aa*20", "dd*50", "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        (
            "0102030405060708090a0b0c0d0e0f10111213141516171819", "cd*50",
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        ("0c*20", "546573742057697468205472756e636174696f6e", "a3b6167473100ee06e0c796c2955552b"),
        (
            "aa*131",
            "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d20"
                + "48617368204b6579204669727374",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            "aa*131",
            "5468697320697320612074657374207573696e672061206c6172676572207468616e20626c6f636b2d73697a65206b6579"
                + "20616e642061206c6172676572207468616e20626c6f636b2d73697a6520646174612e20546865206b6579206e656564"
                + "7320746f20626520686173686564206265666f7265206265696e6720757365642062792074686520484d414320616c67"
                + "6f726974686d2e",
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ])
    func `HMAC-SHA256 gives the codes of the RFC 4231 test vectors, for whole data and byte by byte`(
        key: String,
        data: String,
        code: String
    ) throws {
        let key = try #require(HMACKey(hex: Self.expanded(key)))
        let data = Data(try #require(Self.expanded(data).hexadecimalBytes))
        let result = try key.code(for: data)
        // The fifth is truncated.
        #expect(result.hexadecimal.hasPrefix(code))
        #expect(try key.isCode(result, for: data))
        var pieces = HMACSHA256(key: key.bytes)
        for byte in data { pieces.update([byte]) }
        #expect(pieces.finalize() == Array(result))
    }

    private static func expanded(_ text: String) -> String {
        let parts = text.split(separator: "*").map(String.init)
        return parts.count == 2 ? String(repeating: parts[0], count: Int(parts[1]) ?? 0) : text
    }

    /// The lengths of keys around a block, by Python's `hmac`.
    @Test(arguments: [
        (1, "8337eab2f15019436c69e542b585fa71e7699b098da6089d639f032f9796e529"),
        (63, "b98d37cf042ea0bb022b42fe633a375c2f9d1c873114498ed05687389bd72f0a"),
        (64, "85917068a37039035ee3acc1849016792b1db8dbc8bb1399fe5d3e4b29746675"),
        (65, "2dae4f569913129ce86a519300c5f0e666141944a8e4215968810f961394b0b9"),
        (1000, "1623052a86ea52201cef84144240a1824f01ee24196c7d2db53032122635eaf6"),
    ])
    func `HMAC-SHA256 with keys of 1 to 1,000 bytes gives the codes that Python computes`(length: Int, code: String)
        throws
    {
        let key = HMACKey([UInt8](repeating: 7, count: length))
        #expect(try key.code(for: Data("message")).hexadecimal == code)
    }

    @Test func `HMACKey.isCode rejects a changed, shortened or extended code and a code of other data`() throws {
        let key = HMACKey("key")
        let code = try key.code(for: Data("a"))
        for index in code.indices {
            var other = code
            other[index] ^= 1
            #expect(try !key.isCode(other, for: Data("a")))
        }
        #expect(try !key.isCode(code.dropLast(), for: Data("a")))
        #expect(try !key.isCode(code + [0], for: Data("a")))
        #expect(try !key.isCode(Data(), for: Data("a")))
        #expect(try !key.isCode(code, for: Data("b")))
    }

    @Test func `Signing or verifying with an empty HMAC key throws emptyKey`() {
        for key in [HMACKey(""), HMACKey([]), HMACKey(Data())] {
            #expect(throws: SigningError.emptyKey) { try key.code(for: Data("a")) }
            #expect(throws: VerificationError.emptyKey) { try key.isCode(Data(), for: Data("a")) }
        }
    }

    @Test(arguments: ["0", "0g", "é", "\u{FF11}\u{FF12}", "0 ", "\u{0}\u{0}"])
    func `HMACKey(hex:) is nil for text that is not hexadecimal`(text: String) {
        #expect(HMACKey(hex: text) == nil)
    }

    @Test(arguments: ["a", "a===", "é", "YQ", "Y Q==", "YQ==\n", "\u{0}"])
    func `HMACKey(base64:) is nil for text that is not padded base64`(text: String) {
        #expect(HMACKey(base64: text) == nil)
    }

    @Test func `HMAC keys made from hex, base64 and text are equal when their bytes are equal`() {
        #expect(HMACKey(hex: "6B6579") == HMACKey("key"))
        #expect(HMACKey(hex: "6b6579") == HMACKey(base64: "a2V5"))
        #expect(HMACKey("key") != HMACKey("kez"))
    }

    @Test func `Printing an HMAC key, signature, verifier or AWS credentials does not reveal the secret`() {
        let key = HMACKey("the secret")
        #expect(!printed(key).contains("the secret"))
        #expect(!printed(HMACSignature(key: key, of: [], in: "A")).contains("the secret"))
        #expect(!printed(MessageSignature(.hmac(key), over: [])).contains("the secret"))
        #expect(!printed(MessageVerifier(covering: [], key: .hmac(key))).contains("the secret"))
        #expect(!printed(WebhookVerifier.stripe(["the secret"])).contains("the secret"))
        let credentials = AWSSignature.Credentials(
            accessKeyID: "AKID",
            secretAccessKey: "the secret",
            sessionToken: "the secret"
        )
        #expect(!printed(AWSSignature(credentials, region: "a", service: "b")).contains("the secret"))
        #expect(printed(credentials).contains("AKID"))
    }
}
