package import APIBaseKit
import APIBaseRecording
import Basics
import Foundation
import HTTPTransport
import LoopbackServer

/// The page: one file, which loads nothing. Its policy allows only its own script and style.
struct InspectorPage {
    private let text: String

    init() {
        let version = #"<meta name="apibase-version" content=""#
        text = String(decoding: PackageResources.Inspector_html, as: UTF8.self)
            .replacing(version + "0", with: version + PackageVersion.number)
    }

    /// The page as the server sends it.
    var response: ServerResponse {
        let headers = HTTPFields([
            "Content-Type": "text/html; charset=utf-8",
            "Content-Security-Policy": "\(policy); connect-src 'self'; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
        ])
        return ServerResponse(headers: headers, body: .data(Data(text.utf8)))
    }

    /// The page with its calls, as a file.
    func file(with calls: [InspectedCall]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        // No markup can begin in the calls: `<` in JSON is only in strings, where it can be escaped.
        let json = String(decoding: try encoder.encode(calls), as: UTF8.self).replacing("<", with: "\\u003c")
        let meta = #"<meta http-equiv="Content-Security-Policy" content="\#(policy)">"#
        let place = #"<script type="application/json" id="calls""#
        return Data(
            text.replacing("<!-- policy -->", with: meta, maxReplacements: 1)
                .replacing("\(place)>[]", with: "\(place) data-recording>\(json)", maxReplacements: 1).utf8
        )
    }

    private var policy: String {
        let sources = [("script-src", "script"), ("style-src", "style")].map { "\($0.0) 'sha256-\(hash(of: $0.1))'" }
        return (["default-src 'none'"] + sources + ["base-uri 'none'", "form-action 'none'"]).joined(separator: "; ")
    }

    /// The digest of the contents of the only element with this tag and no attributes.
    private func hash(of tag: String) -> String {
        let content = text.components(separatedBy: "<\(tag)>").last?.components(separatedBy: "</\(tag)>").first ?? ""
        return Data(SHA256.digest(of: content.utf8)).base64EncodedString()
    }
}

/// A page with the calls of a recording.
package enum RecordingPage {
    /// The HTML of the page, with its calls.
    ///
    /// - Throws: ``/APIBaseRecording/RecordingError``, if the file is no recording.
    package static func html(of file: URL, redacting redaction: RedactionRules = .default) throws -> Data {
        let recorded = RecordedCalls(try HAR(contentsOf: file), redacting: redaction)
        return try InspectorPage().file(with: recorded.calls)
    }
}
