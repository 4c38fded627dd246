import Testing

@testable import APIBaseGenerator

@Suite struct WordsTests {
    @Test(arguments: [
        ("user_id", "userID", "UserID"), ("userId", "userID", "UserID"), ("User-Name", "userName", "UserName"),
        ("HTTPServer", "httpServer", "HTTPServer"), ("MAX_SIZE", "maxSize", "MaxSize"), ("SKU", "sku", "SKU"),
        ("userURL", "userURL", "UserURL"), ("urls", "urls", "URLs"), ("page.size", "pageSize", "PageSize"),
        ("filter[name]", "filterName", "FilterName"), ("$top", "top", "Top"), ("a b  c", "aBC", "ABC"),
        ("+1", "plus1", "Plus1"), ("-1", "minus1", "Minus1"), ("-created", "minusCreated", "MinusCreated"),
        ("*", "star", "Star"), ("issues/list-for-repo", "issuesListForRepo", "IssuesListForRepo"),
        ("größe", "größe", "Größe"), ("e\u{301}tat", "état", "État"), ("名前", "名前", "名前"), ("🚀", "u1f680", "U1f680"),
        ("OAuth2Token", "oAuth2Token", "OAuth2Token"), ("v1beta1", "v1beta1", "V1beta1"), ("", "", ""), ("  ", "", ""),
    ])
    func `A name from a document is split into words and joined in lower and upper camel case`(
        text: String,
        lower: String,
        upper: String
    ) {
        #expect(Words(text).lowerCamel == lower)
        #expect(Words(text).upperCamel == upper)
    }

    @Test(arguments: [
        ("1st", "_1st", "_1stValue"), ("", "value", "Value"), ("class", "class", "Class"),
        ("\u{202E}evil\u{0}", "evil", "Evil"), ("a`b", "aB", "AB"), ("../../x", "x", "X"),
    ])
    func `Text with invalid characters becomes a valid Swift name for a member and for a type`(
        text: String,
        member: String,
        type: String
    ) {
        #expect(Identifier.member(text) == member)
        #expect(Identifier.type(text) == type)
    }

    @Test(arguments: [
        ("tags", "tag"), ("categories", "category"), ("addresses", "address"), ("status", "status"), ("boxes", "box"),
        ("news", "new"), ("Data", "Data"), ("glass", "glass"), ("ids", "id"),
    ])
    func `Identifier.singular turns a plural noun into its singular and leaves other nouns unchanged`(
        many: String,
        one: String
    ) {
        #expect(Identifier.singular(many) == one)
    }

    @Test func `A reserved Swift keyword gets backticks when used as an identifier, a contextual keyword does not`() {
        for word in ["class", "self", "in", "init", "Type", "repeat"] {
            #expect(Identifier.escaped(word) == "`\(word)`")
        }
        for word in ["name", "some", "actor"] { #expect(Identifier.escaped(word) == word) }
    }

    @Test func `A type name of 5,000 characters is cut to Identifier.lengthLimit`() {
        #expect(Identifier.type(String(repeating: "a", count: 5_000)).count == Identifier.lengthLimit)
    }
}
