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
    }
}

extension HAR.Field {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        value = try container.decodeIfPresent(String.self, forKey: .value) ?? ""
    }
}

extension HAR.Request {
    package init(from decoder: any Decoder) throws {
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

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        mimeType = container.lenient(.mimeType) ?? ""
        text = try container.decodeIfPresent(String.self, forKey: .text)
        params = container.lenient(.params)
        let others = try decoder.container(keyedBy: OtherKeys.self)
        encoding = container.lenient(.encoding) ?? others.lenient(.encoding)
    }
}

extension HAR.Response {
    package init(from decoder: any Decoder) throws {
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
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        size = container.lenient(.size) ?? 0
        mimeType = container.lenient(.mimeType) ?? ""
        text = try container.decodeIfPresent(String.self, forKey: .text)
        encoding = container.lenient(.encoding)
    }
}
