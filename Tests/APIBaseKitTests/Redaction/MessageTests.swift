import APIBaseKit
import TestTiers
import Testing

/// Texts of servers in errors.
@Suite(.limited) struct MessageTests {
    @Test(arguments: [
        ("token=abcdef is wrong", "token=REDACTED is wrong"), ("Token : abcdef.", "Token : REDACTED"),
        ("Authorization: Bearer abc/def=, x", "Authorization: Bearer REDACTED, x"),
        ("authorization=basic\tYWJj;x", "authorization=basic\tREDACTED;x"),
        ("X-Api-Key:abc&b=c", "X-Api-Key:REDACTED&b=c"),
        ("user[password]=abc", "user[password]=REDACTED"),
        ("'vendor_token' : 'abc def'", "'vendor_token' : 'REDACTED'"),
        ("\"password\" = abc", "\"password\" = REDACTED"), ("the pin is pin:1234", "the pin is pin:REDACTED"),
        ("use bearer abcdefghijklmnop1", "use bearer REDACTED"),
        ("Bearer bearer  abcdefghijklmnop/+=", "Bearer bearer  REDACTED"),
        ("bearer tokens expire", "bearer tokens expire"), ("forbearer abcdefghijklmnop", "forbearer REDACTED"),
        ("id=7, title: none = \"x\"", "id=7, title: none = \"x\""),
        ("see https://h/?token=abc&x=1", "see https://h/?token=REDACTED&x=1"),
        ("lost (https://h/?token=redacted): why", "lost (https://h/?token=redacted): why"),
        ("token=redacted.", "token=redacted."), ("token=redacted)7", "token=REDACTED"),
        ("token", "token"), ("token=", "token="), ("=", "="), ("", ""),
        ("password:\npässwörd x", "password:\nREDACTED x"),
    ])
    func `A text of a server is shown without values after secret names and without bearer tokens`(
        text: String,
        expected: String
    ) {
        #expect(HTTPFailure.withoutSecrets(text) == expected)
    }

    /// A search that starts again at every byte would take minutes for these texts.
    @Test(arguments: [
        "a", "token=a ", "bearer ", "Bearer\n", "a = ", "= ", "token: ", "\"a\":", "a.b[c]", "bearer a", "x:\"",
    ])
    func `A text of 20 kB is searched for secret names within a minute, whatever it repeats`(piece: String) {
        let text = String(repeating: piece, count: 20_000 / piece.utf8.count)
        #expect(!HTTPFailure.withoutSecrets(text).isEmpty)
    }
}
