import Foundation

extension HAR {
    /// A name with a value: a header, a query item, a cookie, a form field.
    package struct Field: Codable, Sendable, Hashable {
        package var name: String
        package var value: String
    }

    package struct Request: Codable, Sendable, Hashable {
        package var method: String
        package var url: String
        package var httpVersion = "unknown"
        package var cookies: [Field] = []
        package var headers: [Field]
        package var queryString: [Field]
        package var postData: PostData?
        package var headersSize = -1
        package var bodySize: Int
    }

    package struct PostData: Codable, Sendable, Hashable {
        package var mimeType: String
        package var text: String?
        package var params: [Field]?
        /// `base64` if the body is not text. The format does not define it, so its name begins with an underscore.
        package var encoding: String?

        enum CodingKeys: String, CodingKey {
            case mimeType, text, params
            case encoding = "_encoding"
        }
    }

    package struct Response: Codable, Sendable, Hashable {
        package var status: Int
        package var statusText = ""
        package var httpVersion: String
        package var cookies: [Field] = []
        package var headers: [Field]
        package var content: Content
        package var redirectURL: String
        package var headersSize = -1
        package var bodySize: Int
    }

    /// The decompressed body of a response.
    package struct Content: Codable, Sendable, Hashable {
        package var size: Int
        package var mimeType: String
        package var text: String?
        /// `base64` if the body is not text.
        package var encoding: String?
        /// Why the text could not be read; it is left out then. A call that needs it fails.
        var problem: RecordingError.Problem?

        enum CodingKeys: CodingKey { case size, mimeType, text, encoding }
    }
}

extension HAR.Request {
    static let missing = HAR.Request(method: "", url: "", headers: [], queryString: [], bodySize: -1)
}

extension HAR.Response {
    static let missing = HAR.Response(
        status: 0,
        httpVersion: "",
        headers: [],
        content: HAR.Content(Data(), type: ""),
        redirectURL: "",
        bodySize: -1
    )
}

extension HAR.Field {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        value = container.text(.value) ?? ""
    }
}

extension HAR.Request {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        method = try container.decode(String.self, forKey: .method)
        url = try container.decode(String.self, forKey: .url)
        guard URL(string: url) != nil else {
            throw DecodingError.dataCorruptedError(forKey: .url, in: container, debugDescription: "This is no URL.")
        }
        httpVersion = container.lenient(.httpVersion) ?? ""
        cookies = container.fields(.cookies)
        headers = container.fields(.headers)
        queryString = container.fields(.queryString)
        postData = container.lenient(.postData)
        bodySize = container.lenient(.bodySize) ?? -1
    }
}

extension HAR.PostData {
    private enum OtherKeys: String, CodingKey { case encoding }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        mimeType = container.lenient(.mimeType) ?? ""
        text = container.lenient(.text)
        let fields = container.fields(.params)
        params = fields.isEmpty ? nil : fields
        let others = try decoder.container(keyedBy: OtherKeys.self)
        encoding = container.lenient(.encoding) ?? others.lenient(.encoding)
        // Text that is not the base64 it is said to be is compared as it is.
        if data == nil { encoding = nil }
    }
}

extension HAR.Response {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let status: Int? = container.lenient(.status) ?? (container.lenient(.status) as String?).flatMap { Int($0) }
        // HTTP has no others.
        self.status = status.flatMap { 100...999 ~= $0 ? $0 : nil } ?? 0
        statusText = container.lenient(.statusText) ?? ""
        httpVersion = container.lenient(.httpVersion) ?? ""
        cookies = container.fields(.cookies)
        headers = container.fields(.headers)
        content = container.lenient(.content) ?? HAR.Content(Data(), type: "")
        redirectURL = container.lenient(.redirectURL) ?? ""
        bodySize = container.lenient(.bodySize) ?? -1
    }
}

extension HAR.Content {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        size = container.lenient(.size) ?? 0
        mimeType = container.lenient(.mimeType) ?? ""
        encoding = container.lenient(.encoding)
        do { text = try container.decodeIfPresent(String.self, forKey: .text) } catch { problem = .notA("String") }
        if data == nil { problem = .notBase64 }
        // What cannot be decoded cannot be searched for secrets either.
        if problem != nil { text = nil }
    }
}
