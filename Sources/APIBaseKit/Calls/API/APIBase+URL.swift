extension APIBase {
    /// The URL of the request: ``baseURL``, ``path`` and ``queryItems`` put together as one text and parsed once; or that of the
    /// page for which it is built.
    func buildURL() throws(RequestError) -> URL {
        do throws(InvalidURL) {
            return try urlBuilder(for: CurrentPage.page(of: self)).url()
        } catch {
            throw .invalidURL(error)
        }
    }

    private func urlBuilder(for page: NextPage?) -> URLBuilder {
        switch page {
        case .url(let url): URLBuilder(base: effectiveBaseURL, path: url.absoluteString, queryItems: [])
        case .query, nil:
            URLBuilder(base: effectiveBaseURL, path: path, queryItems: page?.items(over: queryItems) ?? queryItems)
        }
    }
}
