import Basics
import Foundation
import Testing

@Suite struct SHA256Tests {
    /// The examples of FIPS 180-4, and the empty message.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func `SHA-256 gives the digests of the FIPS 180-4 examples and of the empty message`(text: String, digest: String) {
        #expect(SHA256.hex(of: text) == digest)
        #expect(SHA256.hex(of: AnySequence(text.utf8)) == digest)
    }

    @Test func `SHA-256 gives the published digest for one million repetitions of the letter a`() {
        var hash = SHA256()
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000)
        for _ in 0..<1_000 { hash.update(piece) }
        #expect(
            hash.finalize().map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        )
    }

    /// The digests of `sha256sum` for repetitions of the letter a.
    @Test(arguments: [
        (1, "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"),
        (54, "a3f01b6939256127582ac8ae9fb47a382a244680806a3f613a118851c1ca1d47"),
        (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
        (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
        (57, "f13b2d724659eb3bf47f2dd6af1accc87b81f09f59f2b75e5c0bed6589dfe8c6"),
        (63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
        (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
        (65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"),
        (118, "879dc4f05b19ebc3b037f4683633df1332b054cf52fa372d323c421cb893a2aa"),
        (119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
        (120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"),
        (127, "c57e9278af78fa3cab38667bef4ce29d783787a2f731d4e12200270f0c32320a"),
        (128, "6836cf13bac400e9105071cd6af47084dfacad4e5e302c94bfed24e013afb73e"),
        (129, "c12cb024a2e5551cca0e08fce8f1c5e314555cc3fef6329ee994a3db752166ae"),
        (1000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
    ])
    func `SHA-256 gives the digests of sha256sum for message lengths around the block size`(count: Int, digest: String)
    {
        #expect(SHA256.hex(of: String(repeating: "a", count: count)) == digest)
    }

    @Test func `SHA-256 gives the same digest however the bytes are divided into updates`() {
        let bytes = (0..<200).map { UInt8($0) }
        for first in 0...bytes.count {
            var hash = SHA256()
            hash.update(bytes[..<first])
            hash.update(Data(bytes[first...].prefix(70)))
            hash.update(EmptyCollection())
            hash.update(AnySequence(bytes[first...].dropFirst(70)))
            #expect(hash.finalize() == SHA256.digest(of: bytes))
        }
    }
}
