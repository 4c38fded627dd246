import Foundation

extension HTTPBody {
    /// The media type that a file's name stands for, by its extension; `nil` for an unknown one.
    static func type(named file: URL) -> String? { types[file.pathExtension.lowercased()] }

    /// Types that are registered with IANA, or in wide use.
    private static let types = [
        "aac": "audio/aac", "avif": "image/avif", "bin": "application/octet-stream", "bmp": "image/bmp",
        "css": "text/css", "csv": "text/csv",
        "docx": "application/vnd.openxmlformats-officedocument"
            + ".wordprocessingml.document", "epub": "application/epub+zip", "flac": "audio/flac",
        "geojson":
            "application/geo+json", "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic",
        "heif": "image/heif", "htm": "text/html", "html": "text/html", "ics": "text/calendar", "jpeg": "image/jpeg",
        "jpg": "image/jpeg", "js": "text/javascript", "json": "application/json", "jsonl": "application/jsonl",
        "m4a": "audio/mp4", "md": "text/markdown", "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4",
        "mpeg": "video/mpeg", "ndjson": "application/x-ndjson", "ogg": "audio/ogg", "opus": "audio/ogg",
        "otf": "font/otf", "pdf": "application/pdf", "plist": "application/x-plist", "png": "image/png",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "rtf": "application/rtf", "svg": "image/svg+xml", "tar": "application/x-tar", "tif": "image/tiff",
        "tiff": "image/tiff", "toml": "application/toml", "tsv": "text/tab-separated-values", "ttf": "font/ttf",
        "txt": "text/plain", "usdz": "model/vnd.usdz+zip", "vcf": "text/vcard", "wasm": "application/wasm",
        "wav": "audio/wav", "weba": "audio/webm", "webm": "video/webm", "webp": "image/webp", "woff2": "font/woff2",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xml": "application/xml",
        "yaml": "application/yaml", "yml": "application/yaml", "zip": "application/zip",
    ]
}
