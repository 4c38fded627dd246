import Foundation

extension Secrets {
    /// Removes the values from everything in an entry.
    func remove(from entry: inout HAR.Entry) {
        guard !isEmpty else { return }
        remove(from: &entry.request)
        let response = entry.response
        entry.response.statusText = removed(from: response.statusText)
        entry.response.headers = removed(from: response.headers)
        entry.response.cookies = removed(from: response.cookies)
        entry.response.redirectURL = removed(from: response.redirectURL)
        if response.content.text != nil, let data = response.content.data {
            entry.response.content = HAR.Content(removed(from: data), type: removed(from: response.content.mimeType))
        }
        entry.response.fixLength(from: response)
        entry.comment = entry.comment.map(removed)
    }

    /// Removes the values from everything in a request.
    func remove(from request: inout HAR.Request) {
        guard !isEmpty else { return }
        request.url = removed(from: request.url)
        request.queryString = removed(from: request.queryString)
        request.headers = removed(from: request.headers)
        request.cookies = removed(from: request.cookies)
        guard var body = request.postData else { return }
        body.params = body.params.map(removed)
        body.mimeType = removed(from: body.mimeType)
        if body.text != nil, let data = body.data {
            let clean = HAR.PostData(removed(from: data), type: body.mimeType)
            (body.text, body.encoding) = (clean.text, clean.encoding)
        }
        request.postData = body
    }

    private func removed(from data: Data) -> Data { Data(removed(from: Array(data))) }

    private func removed(from fields: [HAR.Field]) -> [HAR.Field] {
        fields.map { HAR.Field(name: removed(from: $0.name), value: removed(from: $0.value)) }
    }
}

extension HAR.Response {
    /// Sets `Content-Length` to what the body has, if the body is not what it was in `original`.
    mutating func fixLength(from original: HAR.Response) {
        guard content.text != original.content.text, let length = content.data?.count else { return }
        content.size = length
        for index in headers.indices where headers[index].name.lowercased() == "content-length" {
            headers[index].value = String(length)
        }
    }
}
