/// Names that generated declarations must not have.
enum ReservedNames {
    /// Types of Swift, Foundation and the kit that generated code or its readers write, and types that a leaf inherits.
    static let types: Set<String> = [
        "APICall", "Any", "AnyClass", "AnyHashable", "AnyObject", "AnyPublisher", "Array", "ArraySlice",
        "AsyncSequence", "Bool",
        "Bundle", "Calendar", "CaseIterable", "Character", "ClosedRange", "Codable", "CodingKey", "CodingKeys",
        "Collection", "Comparable", "Cookie", "CustomStringConvertible", "Data", "DataResponseTuple", "Date",
        "DateFormatter", "Decimal", "Decodable", "Decoder", "Dictionary", "DispatchQueue", "Double", "Duration",
        "Encodable", "Encoder", "EndMark", "Endpoint", "EndpointPath", "Equatable", "Error", "EventRequest",
        "EventType", "Failure", "FileManager",
        "Float", "Foundation", "Future", "HTTPBody", "HTTPFailure", "HTTPHeaders", "HTTPMethod", "HTTPURLResponse",
        "Hashable", "Hasher", "ID", "Identifiable", "Indirect", "InputStream", "Int", "Int16", "Int32", "Int64", "Int8",
        "Iterator", "JSONAPI", "JSONDecoder", "JSONEncoder", "JSONValue", "Just", "KeyPath", "LinkPagedRequest",
        "LocalizedError", "Locale", "MainActor", "Mirror", "ModelType", "MultipartPart", "NSError", "NSObject", "Never",
        "NextPage", "NextPoll", "Notification", "ObservableObject", "OpenEnum", "OperationQueue", "Optional",
        "OptionSet", "Output", "PagedRequest", "Patch", "PolledRequest", "ProcessInfo", "Progress", "Protocol",
        "Published", "Publisher", "Publishers", "QueryItems", "QueryValue", "Range", "RawRepresentable", "RawValue",
        "ReplyPublisher", "Request", "Result", "Self", "Sendable", "Sequence", "Set", "StaticString", "String", "Stub",
        "Stubs", "Subject", "Subscriber", "Subscription", "Subsequence", "Substring", "Swift", "Task", "TaskGroup",
        "Test", "Thread", "TimeInterval", "TimeZone", "Timer", "Type", "UInt", "UInt16", "UInt32", "UInt64", "UInt8",
        "URL", "URLComponents", "URLQueryItem", "URLRequest", "URLSession", "UUID", "Unicode", "Void", "APIBase",
        "APIBaseKit", "APIRequest", "Authorization", "Body", "Reply", "Event", "Measurement", "ServerSentEvent",
        "Operation", "Port", "Process", "Unit", "Host", "Dimension", "Scanner", "Pipe", "Stream", "Testing",
        "APIBaseTesting",
    ]

    /// Names that a property of a struct cannot have.
    static let properties: Set<String> = ["self", "init", "hashValue", "hash", "encode", "Type", "Protocol"]

    /// Names that a constant of an enumeration cannot have.
    static let constants: Set<String> = ["self", "init", "rawValue", "hashValue", "hash", "encode", "allCases", "none"]

    /// Names that a parameter cannot have: `self` would hide the request itself.
    static let parameters: Set<String> = ["self", "init", "super"]
}
