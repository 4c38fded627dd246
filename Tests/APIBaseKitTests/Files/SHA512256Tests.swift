import APIBaseKit
@testable import APIBaseSigning
import Testing

@Suite struct SHA512256Tests {
    /// The examples of NIST's “SHA512_256.pdf”, and the digest of nothing.
    @Test(arguments: [
        ("", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
        ("abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"
        ),
    ])
    func `SHA-512-256 gives the digests that NIST publishes for its example texts`(text: String, digest: String) {
        #expect(SHA512256.hex(of: text.utf8) == digest)
    }

    /// Lengths around those of a block and its padding; the expected values are those of OpenSSL 3.
    @Test(arguments: [
        (111, "0239e429f98d0ed61ee8e2a7c30afe98c1c3a80ce5dff62a107e9c538f7632ce"),
        (112, "9216b5303edb66504570bee90e48ea5beaa5e9fe9f760bbd3e0460559fc005f6"),
        (127, "2fe3b2a6ee7e12f6fe4ba82166541ad9b4ed882c493581cbe300d68f3757b778"),
        (128, "b88f97e274f9c1d49f181c8cbd01a9c74930ad055a46ac4499a1d601f1c80bf2"),
        (129, "fb9035c9009ed4a60e37510339ebdb1c771339f30aa581d5dea3690a524c23f1"),
        (1000, "40eb4a70d4d69815407a9e272f0101cd67e3d11262a4a0bfc087712749c7fb53"),
    ])
    func `SHA-512-256 gives the same digests as OpenSSL for texts near and beyond the block length`(
        count: Int,
        digest: String
    ) {
        #expect(SHA512256.hex(of: repeatElement(UInt8(ascii: "a"), count: count)) == digest)
    }
}
