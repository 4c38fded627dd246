import APIBaseKit
import Basics
import Foundation
import Testing

@testable import APIBaseCache

@Suite struct VariantSelectionTests {
    struct Rule: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let vary: [String]
        let first: [String: String]
        let second: [String: String]
        let isSelected: Bool

        init(
            _ name: String,
            _ vary: [String],
            _ first: [String: String],
            _ second: [String: String],
            _ isSelected: Bool
        ) {
            testDescription = name
            self.vary = vary
            self.first = first
            self.second = second
            self.isSelected = isSelected
        }
    }

    @Test(arguments: [
        Rule("4.1: without Vary all requests are alike", [], ["Accept": "a"], ["Accept": "b"], true),
        Rule("4.1: the same value", ["Accept"], ["Accept": "a"], ["Accept": "a"], true),
        Rule("4.1: another value", ["Accept"], ["Accept": "a"], ["Accept": "b"], false),
        Rule("4.1: missing in both", ["Accept"], [:], [:], true),
        Rule("4.1: missing in one", ["Accept"], ["Accept": "a"], [:], false),
        Rule("4.1: missing in the other", ["Accept"], [:], ["Accept": "a"], false),
        Rule("4.1: empty is not missing", ["Accept"], ["Accept": ""], [:], false),
        Rule("4.1: names have no case", ["aCCept"], ["Accept": "a"], ["accept": "b"], false),
        Rule("4.1: values have case", ["Accept"], ["Accept": "a"], ["Accept": "A"], false),
        Rule("4.1: all names of a field count", ["Accept, X-A"], ["X-A": "a"], ["X-A": "b"], false),
        Rule("4.1: all fields count", ["Accept", "X-A"], ["X-A": "a"], ["X-A": "b"], false),
        Rule("4.1: fields not named do not count", ["Accept"], ["X-A": "a"], ["X-A": "b"], true),
        Rule("4.1: blanks around commas mean nothing", ["Accept"], ["Accept": "a,b"], ["Accept": "a \t, b"], true),
        Rule("4.1: several blanks are one", ["Accept"], ["Accept": "a b"], ["Accept": "a\t  b"], true),
        Rule("4.1: one blank is not none", ["Accept"], ["Accept": "a b"], ["Accept": "ab"], false),
        Rule("4.1: blanks in quotes count", ["X-A"], ["X-A": #""a  b""#], ["X-A": #""a b""#], false),
        Rule("4.1: an escaped quote ends no quotes", ["X-A"], ["X-A": #""\"  b""#], ["X-A": #""\" b""#], false),
        Rule("4.1: the order counts", ["Accept"], ["Accept": "a, b"], ["Accept": "b, a"], false),
        Rule("4.1: * matches nothing", ["*"], [:], [:], false),
        Rule("4.1: what is no name matches nothing", ["Accept;x"], ["Accept": "a"], ["Accept": "a"], false),
        Rule("4.1: two names without a comma are none", ["Accept X-A"], [:], [:], false),
        Rule("4.1: quotes are no name", ["\"Accept\""], [:], [:], false),
        Rule("4.1: one that is no name among others", ["Accept, X-\u{e9}, X-A"], [:], [:], false),
        Rule("4.1: nothing between commas is left out", [", Accept,,"], ["Accept": "a"], ["Accept": "a"], true),
    ])
    func `A stored response is selected only if the headers that Vary names have equal values`(rule: Rule) {
        var headers = HTTPHeaders()
        for field in rule.vary { headers.add(name: "Vary", value: field) }
        let reply = CacheScene.reply(headers, to: CacheScene.request(rule.first))
        #expect(reply.selects(CacheScene.request(rule.second)) == rule.isSelected)
    }

    @Test(arguments: [
        ("GET", "GET", true), ("GET", "HEAD", true), ("HEAD", "HEAD", true), ("HEAD", "GET", false),
        ("GET", "POST", false), ("GET", "OPTIONS", false),
    ])
    func `A stored GET response answers GET and HEAD calls, a stored HEAD response only HEAD calls`(
        stored: String,
        asked: String,
        isSelected: Bool
    ) {
        let reply = CacheScene.reply(to: CacheScene.request(method: stored))
        #expect(reply.selects(CacheScene.request(method: asked)) == isSelected)
    }

    @Test func `A stored response keeps digests of the request headers that Vary names, and no others`() {
        let request = CacheScene.request(["Accept": "a", "X-B": "b"])
        let reply = CacheScene.reply(["Vary": "ACCEPT, X-A"], to: request)
        #expect(reply.varying == ["accept": SHA256.digest(of: "a".utf8), "x-a": nil])
    }
}
