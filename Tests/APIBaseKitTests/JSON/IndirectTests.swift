import APIBaseKit
import Testing

@Suite struct IndirectTests {
    private struct Comment: Codable, Hashable {
        var text: String
        @Indirect var parent: Comment?
    }

    private func decoded(_ text: String) throws -> Comment { try JSONAPI().decode(Comment.self, from: Data(text.utf8)) }

    private func encoded(_ comment: Comment) throws -> String {
        String(decoding: try JSONAPI().encoder.encode(comment), as: UTF8.self)
    }

    @Test func `An Indirect property can hold a value of its own type and is decoded, encoded and copied`() throws {
        let text = #"{"parent":{"parent":{"text":"c"},"text":"b"},"text":"a"}"#
        var comment = try decoded(text)
        #expect(comment.parent?.parent?.text == "c")
        #expect(try encoded(comment) == text)
        let copy = comment
        comment.parent?.text = "x"
        #expect(copy.parent?.text == "b")
        #expect(copy != comment)
    }

    @Test(arguments: [#"{"text":"a"}"#, #"{"text":"a","parent":null}"#])
    func `A missing or null Indirect property is decoded as nil and not encoded`(text: String) throws {
        let comment = try decoded(text)
        #expect(comment.parent == nil)
        #expect(try encoded(comment) == #"{"text":"a"}"#)
    }

    @Test func `An Indirect property prints as its value, also in the value that has it`() {
        struct Change {
            @Indirect @Patch var parent: String?
            @Indirect var value: JSONValue
        }
        let changes = [
            Change(parent: Indirect(wrappedValue: Patch()), value: [1]),
            Change(parent: Indirect(wrappedValue: "a"), value: nil),
        ]
        let texts = [#"Change(_parent: absent, _value: [1])"#, #"Change(_parent: "a", _value: null)"#]
        #expect(changes.map { "\($0)" } == texts)
        #expect("\(Indirect(wrappedValue: "a"))" == "a")
        var dumped = ""
        dump(Comment(text: "a", parent: Comment(text: "b")), to: &dumped)
        #expect(dumped.contains(#"text: "b""#) && !dumped.contains("value"))
    }

    @Test func `A chain of 1,000 Indirect values is built, and freed with its last reference`() {
        final class Marker {}
        struct Link {
            var marker: Marker?
            @Indirect var parent: Link?
        }
        weak var marker: Marker?
        do {
            let first = Marker()
            marker = first
            var link = Link(marker: first)
            for _ in 1...1_000 { link = Link(parent: link) }
            #expect(link.parent?.parent?.marker == nil && marker != nil)
        }
        #expect(marker == nil)
    }
}
