@testable import APIBaseRecording

extension HAR.Entry {
    /// An exchange with defaults for all parts.
    static func make(
        _ method: String = "GET",
        _ url: String = "https://api.example/things",
        requestHeaders: [HAR.Field] = [],
        requestCookies: [HAR.Field] = [],
        postData: HAR.PostData? = nil,
        status: Int = 200,
        headers: [HAR.Field] = [],
        cookies: [HAR.Field] = [],
        redirectURL: String = "",
        content: HAR.Content = .make("")
    ) -> HAR.Entry {
        HAR.Entry(
            startedDateTime: "2026-01-01T00:00:00.000Z",
            time: 1,
            request: HAR.Request(
                method: method,
                url: url,
                httpVersion: "HTTP/1.1",
                cookies: requestCookies,
                headers: requestHeaders,
                queryString: [],
                postData: postData,
                bodySize: 0
            ),
            response: HAR.Response(
                status: status,
                statusText: "",
                httpVersion: "HTTP/1.1",
                cookies: cookies,
                headers: headers,
                content: content,
                redirectURL: redirectURL,
                bodySize: 0
            ),
            timings: HAR.Timings()
        )
    }
}

extension HAR.Content {
    static func make(_ text: String, type: String = "application/json") -> HAR.Content {
        HAR.Content(Data(text.utf8), type: type)
    }
}
