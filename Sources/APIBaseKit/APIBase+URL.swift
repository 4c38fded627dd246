extension APIBase {
    /// The URL of the request: ``baseURL``, ``path`` and ``queryItems`` put together as one text and parsed once.
    func buildURL() throws(RequestError) -> URL {
        do throws(InvalidURL) {
            return try URLText(base: effectiveBaseURL, path: path, queryItems: queryItems).url()
        } catch {
            throw .invalidURL(error)
        }
    }
}
