import Foundation
import OpenAPIDocument
import Testing

@testable import APIBaseGenerator

/// The fields of forms, as browsers keep them.
@Suite struct FormFieldTests {
    private static let multipart = "multipart/form-data; boundary=----WebKitFormBoundary7"
    /// A text, two of one name, and a file, whose content Chrome leaves out.
    private static let text = [
        "------WebKitFormBoundary7", #"Content-Disposition: form-data; name="title""#, "", "SECRET1",
        "------WebKitFormBoundary7", #"Content-Disposition: form-data; name="tag""#, "", "SECRET2",
        "------WebKitFormBoundary7", #"Content-Disposition: form-data; name="tag""#, "",
        #"Content-Disposition: form-data; name="SECRET3""#, "------WebKitFormBoundary7",
        #"content-disposition: form-data; name="photo"; filename="SECRET4.png""#, "Content-Type: image/png", "", "",
        "------WebKitFormBoundary7--", "",
    ]
    .joined(separator: "\r\n")
    private static let fields = ["title", "tag", "tag", "photo file"]

    /// The body of a request, and its fields.
    static let cases: [(type: String, text: String, params: String, fields: [String])] = [
        // Chrome and Safari have the text; of some, the content type lacks the boundary, and lines end as in Unix.
        (multipart, text, "", fields), (multipart, text, "[]", fields),
        ("multipart/form-data; charset=utf-8; boundary=\"----WebKitFormBoundary7\"", text, "", fields),
        ("multipart/form-data", text.replacing("\r\n", with: "\n"), "", fields),
        // Firefox has heads of the request before it.
        (multipart, "Content-Type: \(multipart)\r\n\r\n\(text)", "[]", fields),
        // Others have a list.
        (
            multipart, "", #"[{"name": "title", "value": "SECRET"}, {"name": "photo", "fileName": "SECRET.png"}]"#,
            ["title", "photo file"]
        ),
        ("application/x-www-form-urlencoded", "", #"[{"name": "a b", "value": "SECRET"}]"#, ["a b"]),
        ("application/x-www-form-urlencoded", "a+b=SECRET&c%5B%5D=1&=x&d", #"[{"name": "a+b"}]"#, ["a b", "c[]", "d"]),
        // No form, or none that can be read.
        ("application/json", #"{"a": 1}"#, "", []), (multipart, "SECRET", "", []), ("multipart/form-data", "", "", []),
        (multipart, "------WebKitFormBoundary7\r\n\r\nname=\"SECRET\"", "", []),
        (multipart, "------WebKitFormBoundary7\r\nContent-Disposition: form-data; name=\"a%22b\"", "", [#"a"b"#]),
    ]

    private static func post(_ type: String, _ text: String, _ params: String) -> String {
        let list = params.isEmpty ? "" : #", "params": \#(params)"#
        return #"{"mimeType": \#(JSON.string(type).line), "text": \#(JSON.string(text).line)\#(list)}"#
    }

    @Test(arguments: cases)
    func `The fields of a recorded form are read from its text, or from the list beside it`(
        type: String,
        text: String,
        params: String,
        fields: [String]
    ) throws {
        let content = HARFile.Content(try JSONReader.read(Data(Self.post(type, text, params).utf8)))
        #expect(content.fields.map { $0.isFile ? "\($0.name) file" : $0.name } == fields)
    }

    @Test func `A draft has the parts of a form with files, of which those in all calls are required, and no value`()
        throws
    {
        let other = Self.text.replacing("name=\"title\"", with: "name=\"a@b.example\"")
        let entries = [Self.text, other].map {
            DraftTests.entry("POST", "https://api.example.com/photos", 201, "{}", body: $0, type: Self.multipart)
        }
        let text = try Draft(DraftTests.recording(entries), name: "a.har", base: "https://api.example.com").document
        let schema = try JSONReader.read(Data(text.utf8))["paths"]?["/photos"]?["post"]?["requestBody"]?["content"]?[
            "multipart/form-data"
        ]?["schema"]
        #expect(schema?["required"]?.line == #"["tag", "photo"]"#)
        #expect(schema?["properties"]?.object?.names == ["title", "tag", "photo"])
        #expect(schema?["properties"]?["tag"]?.line == #"{"type": "array", "items": {"type": "string"}}"#)
        #expect(!text.contains("SECRET") && !text.contains("WebKit") && !text.contains("example\""))
        #expect(try Generated(text).requests.contains("init(tag: [String], photo: HTTPBody, title: String? = nil)"))
    }
}
