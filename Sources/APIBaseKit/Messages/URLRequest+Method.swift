extension URLRequest {
    /// The method; `GET` if none is set.
    var method: HTTPMethod { HTTPMethod(rawValue: httpMethod ?? "GET") }
}
