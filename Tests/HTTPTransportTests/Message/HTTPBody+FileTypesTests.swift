import Foundation
import HTTPTransport
import Testing

@Suite struct FileTypesTests {
    @Test(arguments: [
        ("photo.png", "image/png"), ("PHOTO.JPG", "image/jpeg"), ("a.b.pdf", "application/pdf"),
        ("notes.md", "text/markdown"),
        ("data.json", "application/json"), ("archive.tar.gz", "application/gzip"),
        ("report.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("map.geojson", "application/geo+json"),
    ])
    func `A file has the media type of its name unless another is given`(name: String, type: String) {
        let file = URL(fileURLWithPath: "/tmp/\(name)")
        #expect(HTTPBody.file(file).contentType == type)
        #expect(HTTPBody.file(file, type: "text/plain").contentType == "text/plain")
    }

    @Test(arguments: ["file", "file.unknown", ".png", "folder.png/file"])
    func `A file with an unknown name has no media type`(name: String) {
        #expect(HTTPBody.file(URL(fileURLWithPath: "/tmp/\(name)")).contentType == nil)
    }
}
