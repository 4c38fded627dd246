/// Names that generated declarations must not have.
enum ReservedNames {
    /// Types of Swift, Foundation and the kit that generated code or its readers write, and types that a leaf inherits.
    static let types = Set(
        """
        APIBase APIBaseKit APIBaseTesting APICall APIRequest Any AnyClass AnyHashable AnyObject AnyPublisher Array \
        ArraySlice AsyncSequence Authorization Body Bool Bundle Calendar CaseIterable Character ClosedRange Codable \
        CodingKey CodingKeys Collection Comparable Cookie CustomStringConvertible Data DataResponseTuple Date \
        DateFormatter Decimal Decodable Decoder Dictionary Dimension DispatchQueue Double Duration Encodable Encoder \
        EndMark Endpoint EndpointPath Equatable Error Event EventRequest EventType Failure FileManager Float \
        Foundation Future HTTPBody HTTPFailure HTTPHeaders HTTPMethod HTTPURLResponse Hashable Hasher Host ID \
        Identifiable Indirect InputStream Int Int16 Int32 Int64 Int8 Iterator JSONAPI JSONDecoder JSONEncoder \
        JSONValue Just KeyPath LinkPagedRequest Locale LocalizedError MainActor Measurement Mirror ModelType \
        MultipartPart NSError NSObject Never NextPage NextPoll Notification ObservableObject OpenEnum Operation \
        OperationQueue OptionSet Optional Output PagedRequest Patch Pipe PolledRequest Port Process ProcessInfo \
        Progress Protocol Published Publisher Publishers QueryItems QueryValue Range RawRepresentable RawValue Reply \
        ReplyPublisher Request Result Scanner Self Sendable Sequence ServerSentEvent Set StaticString Stream String \
        Stub Stubs Subject Subscriber Subscription Subsequence Substring Swift Task TaskGroup Test Testing Thread \
        TimeInterval TimeZone Timer Type UInt UInt16 UInt32 UInt64 UInt8 URL URLComponents URLQueryItem URLRequest \
        URLSession UUID Unicode Unit Void
        """
        .split(separator: " ").map(String.init)
    )

    /// Names that a property of a struct cannot have.
    static let properties: Set<String> = ["self", "init", "hashValue", "hash", "encode", "Type", "Protocol"]

    /// Names that a constant of an enumeration cannot have.
    static let constants: Set<String> = ["self", "init", "rawValue", "hashValue", "hash", "encode", "allCases", "none"]

    /// Names that a parameter cannot have: `self` would hide the request itself.
    static let parameters: Set<String> = ["self", "init", "super"]
}
