import APIBaseKit

/// The media types of files, by how their names end.
enum MediaType {
    /// The type of a file; `nil` if its name does not say.
    static func of(_ file: URL) -> String? { types[file.pathExtension.lowercased()] }

    private static let types = [
        "json": "application/json", "xml": "application/xml", "pdf": "application/pdf", "zip": "application/zip",
        "gz": "application/gzip", "txt": "text/plain", "csv": "text/csv", "html": "text/html", "md": "text/markdown",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "svg": "image/svg+xml", "mp3": "audio/mpeg", "mp4": "video/mp4",
    ]
}
