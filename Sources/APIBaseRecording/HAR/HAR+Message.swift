import Foundation

extension HAR {
    /// A name with a value: a header, a query item, a cookie, a form field.
    struct Field: Codable, Sendable, Hashable {
        var name: String
        var value: String
    }

    struct Request: Codable, Sendable, Hashable {
        var method: String
        var url: String
        var httpVersion = "unknown"
        var cookies: [Field] = []
        var headers: [Field]
        var queryString: [Field]
        var postData: PostData?
        var headersSize = -1
        var bodySize: Int
    }

    struct PostData: Codable, Sendable, Hashable {
        var mimeType: String
        var text: String?
        var params: [Field]?
        /// `base64` if the body is not text. The format does not define it, so its name begins with an underscore.
        var encoding: String?

        enum CodingKeys: String, CodingKey {
            case mimeType, text, params
            case encoding = "_encoding"
        }
    }

    struct Response: Codable, Sendable, Hashable {
        var status: Int
        var statusText = ""
        var httpVersion: String
        var cookies: [Field] = []
        var headers: [Field]
        var content: Content
        var redirectURL: String
        var headersSize = -1
        var bodySize: Int
    }

    /// The decompressed body of a response.
    struct Content: Codable, Sendable, Hashable {
        var size: Int
        var mimeType: String
        var text: String?
        /// `base64` if the body is not text.
        var encoding: String?
    }
}

extension HAR.Field {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        value = try container.decodeIfPresent(String.self, forKey: .value) ?? ""
    }
}

extension HAR.Request {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        method = try container.decode(String.self, forKey: .method)
        url = try container.decode(String.self, forKey: .url)
        httpVersion = container.lenient(.httpVersion) ?? ""
        cookies = container.lenient(.cookies) ?? []
        headers = try container.decodeIfPresent([HAR.Field].self, forKey: .headers) ?? []
        queryString = container.lenient(.queryString) ?? []
        postData = try container.decodeIfPresent(HAR.PostData.self, forKey: .postData)
        bodySize = container.lenient(.bodySize) ?? -1
    }
}

extension HAR.PostData {
    private enum OtherKeys: String, CodingKey { case encoding }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        mimeType = container.lenient(.mimeType) ?? ""
        text = try container.decodeIfPresent(String.self, forKey: .text)
        params = container.lenient(.params)
        let others = try decoder.container(keyedBy: OtherKeys.self)
        encoding = container.lenient(.encoding) ?? others.lenient(.encoding)
    }
}

extension HAR.Response {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = try container.decode(Int.self, forKey: .status)
        statusText = container.lenient(.statusText) ?? ""
        httpVersion = container.lenient(.httpVersion) ?? ""
        cookies = container.lenient(.cookies) ?? []
        headers = try container.decodeIfPresent([HAR.Field].self, forKey: .headers) ?? []
        content = try container.decodeIfPresent(HAR.Content.self, forKey: .content) ?? HAR.Content(Data(), type: "")
        redirectURL = container.lenient(.redirectURL) ?? ""
        bodySize = container.lenient(.bodySize) ?? -1
    }
}

extension HAR.Content {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        size = container.lenient(.size) ?? 0
        mimeType = container.lenient(.mimeType) ?? ""
        text = try container.decodeIfPresent(String.self, forKey: .text)
        encoding = container.lenient(.encoding)
    }
}
