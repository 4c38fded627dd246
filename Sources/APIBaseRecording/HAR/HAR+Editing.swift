import Foundation

/// Edits the parts of entries, as for removing secrets.
protocol HAREditor {
    mutating func edited(_ text: String) -> String
    mutating func edited(label: String) -> String
    mutating func edited(_ fields: [HAR.Field], of part: HAR.Part) -> [HAR.Field]
    /// Edits a body; nil leaves it as it is.
    mutating func edited(_ body: Data, type: String) -> Data?
}

extension HAR {
    enum Part {
        case headers, cookies, query, form
    }
}

extension HAR.Entry {
    mutating func edit(with editor: inout some HAREditor) {
        request.edit(with: &editor)
        let original = response
        response.statusText = editor.edited(label: original.statusText)
        response.headers = editor.edited(original.headers, of: .headers)
        response.cookies = editor.edited(original.cookies, of: .cookies)
        response.redirectURL = editor.edited(original.redirectURL)
        let content = original.content
        if content.text != nil, let data = content.data, let data = editor.edited(data, type: content.mimeType) {
            response.content = HAR.Content(data, type: editor.edited(label: content.mimeType))
            if response.content.text != content.text { response.fixLength() }
        }
        comment = comment.map { editor.edited($0) }
        for index in (messages ?? []).indices { messages?[index].edit(with: &editor) }
    }
}

extension HAR.Request {
    mutating func edit(with editor: inout some HAREditor) {
        url = editor.edited(url)
        queryString = editor.edited(queryString, of: .query)
        headers = editor.edited(headers, of: .headers)
        cookies = editor.edited(cookies, of: .cookies)
        guard var body = postData else { return }
        body.params = body.params.map { editor.edited($0, of: .form) }
        if body.text != nil, let data = body.data, let data = editor.edited(data, type: body.mimeType) {
            let edited = HAR.PostData(data, type: "")
            (body.text, body.encoding) = (edited.text, edited.encoding)
        }
        body.mimeType = editor.edited(label: body.mimeType)
        postData = body
    }
}

extension HAR.Response {
    fileprivate mutating func fixLength() {
        guard let length = content.data?.count else { return }
        content.size = length
        for index in headers.indices where headers[index].name.lowercased() == "content-length" {
            headers[index].value = String(length)
        }
    }
}
