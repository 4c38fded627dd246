import HTTPTransport

extension APIBase {
    /// The call as a command line for a shell and curl, as it would be sent now, without its secrets.
    ///
    /// For bug reports and for trying things out:
    ///
    /// ```
    /// curl --globoff --path-as-is --url 'https://books.example/v2/books?page=2' \
    ///   --header 'Accept: application/json' \
    ///   --header 'Authorization: REDACTED'
    /// ```
    ///
    /// What is secret by its name (see ``Redaction``) is `REDACTED`: headers, query items, fields of forms and of JSON.
    /// Everything else goes out as the kit sends it, whatever characters it has. Files are read by the shell; a stream is
    /// expected as the input of the command. What ``intercept(_:next:)`` would change is not seen here.
    ///
    /// If the request cannot be built, it is a comment that says why.
    public var curlText: String {
        do {
            var request = try buildURLRequest()
            try addIdempotencyKey(to: &request)
            if let name = authorization?.headerName, request.value(forHTTPHeaderField: name) == nil {
                request.setValue(Redaction.marker, forHTTPHeaderField: name)
            }
            let names = SecretNames(.default, secretHeaders: allSecretHeaders)
            return CurlCommand(request, body: try transportBody(of: request), without: names).text
        } catch {
            return "# The request cannot be built: \(error.localizedDescription.withoutControls)"
        }
    }
}
