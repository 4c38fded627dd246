import APIBaseKit
import Foundation
import Testing

@testable import APIBaseCache

@Suite struct RevalidationTests {
    private static let changed = "Sat, 05 Nov 1994 08:49:37 GMT"

    /// The conditions of the request that validates.
    @Test(
        arguments: [
            ("4.3.1: a strong tag", ["ETag": "\"a\"", "Date": "x"], "\"a\"", nil),
            ("4.3.1: a weak tag", ["ETag": "W/\"a\"", "Date": "x"], "W/\"a\"", nil),
            ("4.3.1: a tag without quotes", ["ETag": "a", "Date": "x"], "a", nil),
            ("4.3.1: an empty tag is none", ["ETag": "", "Date": "x"], nil, nil),
            ("4.3.1: a tag that must not be sent", ["ETag": "\"\u{e9}\"", "Date": "x"], nil, nil),
            ("4.3.1: a tag with a control character", ["ETag": "\"a\u{7f}\"", "Date": "x"], nil, nil),
            ("4.3.1: a tag that would mean any", ["ETag": "*", "Date": "x"], nil, nil),
            ("4.3.1: a quoted star is a tag", ["ETag": "\"*\"", "Date": "x"], "\"*\"", nil),
            (
                "4.3.1: the last change where the tag must not be sent",
                ["ETag": "\"\u{e9}\"", "Last-Modified": changed], nil, changed
            ),
            ("4.3.1: the last change", ["Last-Modified": changed], nil, changed),
            (
                "4.3.1: the last change as it was sent", ["Last-Modified": "Sat Nov  5 08:49:37 1994"], nil,
                "Sat Nov  5 08:49:37 1994"
            ),
            ("4.3.1: both", ["ETag": "\"a\"", "Last-Modified": changed], "\"a\"", changed),
            // Allowed by RFC 9110, section 13.1.3, but what was missing may have come with an older date of its own.
            ("4.3.1: a Date is none", ["Date": CacheScene.date], nil, nil),
            ("4.3.1: a change that is no date", ["Last-Modified": "x", "Date": CacheScene.date], nil, nil),
            ("4.3.1: none at all", [:], nil, nil),
            ("4.3.1: no validator", ["Date": "x"], nil, nil),
        ] as [(String, HTTPHeaders, String?, String?)]
    )
    func `A validation sends the stored ETag and Last-Modified, if valid, as conditional headers`(
        name: String,
        headers: HTTPHeaders,
        tag: String?,
        date: String?
    ) {
        let request = CacheScene.request(["Accept": "a", "Cache-Control": "no-cache"])
        let decision = CacheRules.decision(for: request, among: [CacheScene.reply(headers)], at: CacheScene.start)
        guard case .validate(_, let sent) = decision else {
            #expect(decision == .forward(request))
            #expect(tag == nil && date == nil)
            return
        }
        #expect(sent.value(forHTTPHeaderField: "If-None-Match") == tag)
        #expect(sent.value(forHTTPHeaderField: "If-Modified-Since") == date)
        #expect(sent.value(forHTTPHeaderField: "Accept") == "a")
    }

    /// Whether a 304 means the stored reply.
    @Test(
        arguments: [
            ("4.3.4: the same strong tag", ["ETag": "\"a\""], ["ETag": "\"a\""], true),
            ("4.3.4: another strong tag", ["ETag": "\"a\""], ["ETag": "\"b\""], false),
            ("4.3.4: a strong tag for a weak one", ["ETag": "W/\"a\""], ["ETag": "\"a\""], false),
            ("4.3.4: a weak tag for a strong one", ["ETag": "\"a\""], ["ETag": "W/\"a\""], true),
            ("4.3.4: the same weak tag", ["ETag": "W/\"a\""], ["ETag": "W/\"a\""], true),
            ("4.3.4: another weak tag", ["ETag": "W/\"a\""], ["ETag": "W/\"b\""], false),
            ("4.3.4: a tag for none", [:], ["ETag": "\"a\""], false),
            (
                "4.3.4: the tag comes before the change", ["ETag": "\"a\"", "Last-Modified": changed],
                ["ETag": "\"a\""], true
            ),
            ("4.3.4: the same change", ["Last-Modified": changed], ["Last-Modified": changed], true),
            (
                "4.3.4: the same change in another form", ["Last-Modified": changed],
                ["Last-Modified": "Sat Nov  5 08:49:37 1994"], true
            ),
            ("4.3.4: another change", ["Last-Modified": changed], ["Last-Modified": CacheScene.date], false),
            ("4.3.4: a change for none", ["ETag": "\"a\""], ["Last-Modified": changed], false),
            ("4.3.4: nothing for a tag", ["ETag": "\"a\""], [:], true),
            ("4.3.4: nothing for nothing", [:], [:], true),
        ] as [(String, HTTPHeaders, HTTPHeaders, Bool)]
    )
    func `A 304 confirms a stored response unless its ETag, or else its Last-Modified, does not match`(
        name: String,
        stored: HTTPHeaders,
        headers: HTTPHeaders,
        isConfirmed: Bool
    ) {
        #expect(CacheScene.reply(stored).isConfirmed(by: headers) == isConfirmed)
    }
}
