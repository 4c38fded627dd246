import APIBaseKit
import Unsplash

struct Photos: APICommand {
    static let api = API.unsplash

    let search: String?
    let page: Int
    let perPage: Int
    var showsPictures = false
    var folder: String?

    func run(_ output: CallOutput) async throws {
        // Without a key here, the request takes the one in the environment.
        let photos = try await photos(key: output.anyKey ? "demo" : nil)
        try show(photos, on: output)
        if let folder { try await download(photos, to: folder, output) }
    }

    private func photos(key: String?) async throws -> [Photo] {
        guard let search else {
            return try await PhotosRequest(page: page, perPage: perPage, accessKey: key).value()
        }
        return try await SearchPhotosRequest(query: search, page: page, perPage: perPage, accessKey: key).value()
            .results
    }

    private func show(_ photos: [Photo], on output: CallOutput) throws {
        guard showsPictures, !output.json, output.output.out.style.hasColors else {
            return try output.show(photos) { $0.summary }
        }
        for photo in photos {
            for line in photo.picture(width: 24)?.lines ?? [] { output.output.line(line) }
            output.output.line(photo.summary.forTerminal)
        }
    }

    private func download(_ photos: [Photo], to folder: String, _ output: CallOutput) async throws {
        let names = FileNames.distinct(photos.map { FileNames.safe($0.fileName) ?? "photo" })
        let items = try zip(photos, names).map { photo, name in
            var request = HTTPJob(method: .get, url: photo.urls.regular, items: try RequestItems([], isForm: false))
            request.accept = "image/*"
            return Downloads.Item(request: request, file: URL(fileURLWithPath: folder).appendingPathComponent(name))
        }
        try DownloadTarget(path: folder).makeFolder()
        let failures = try await Downloads(items: items).run(Context(output: output.output))
        if !failures.isEmpty { throw FileFailure.downloads(failures.count, of: photos.count) }
    }
}

extension Photo {
    fileprivate var summary: String { "\(id)\t\(width)×\(height)\t\(altDescription ?? user.name)" }

    /// The ID, with the format in the URL as extension.
    fileprivate var fileName: String {
        let query = URLComponents(url: urls.regular, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return "\(id).\(query.first { $0.name == "fm" }?.value ?? "jpg")"
    }

    /// The BlurHash of the photo as a picture, by default in the aspect ratio of the photo; `nil` if it has none.
    func picture(width: Int, height: Int? = nil) -> Picture? {
        let rows = Double(width * self.height) / Double(max(self.width, 1))
        return blurHash.flatMap(BlurHash.init)?
            .picture(width: width, height: height ?? Int(min(max(rows / 2, 1), Double(width)).rounded()) * 2)
    }
}

extension Command {
    static let photos = Command.api(
        "photos",
        summary: "Unsplash: list a page of photos",
        details: "The real host needs an access key, in the variable UNSPLASH_ACCESS_KEY.",
        options: [.search, .page, .perPage, .show, .folder]
    ) { arguments in
        Photos(
            search: arguments.value(.search),
            page: try arguments.number(.page, in: 1...Int.max) ?? 1,
            perPage: try arguments.number(.perPage, in: 1...30) ?? 10,
            showsPictures: arguments.has(.show),
            folder: arguments.value(.folder)
        )
    }
}

extension Option {
    fileprivate static let search = Option("--search", value: "TEXT", "only photos that match a search")
    fileprivate static let page = Option("--page", value: "N", "the page (1)")
    fileprivate static let perPage = Option("--per-page", value: "N", "the number of photos on a page (10)")
    fileprivate static let folder = Option("--out", value: "FOLDER", "download the photos, 1080 pixels wide")
    fileprivate static let show = Option("--show", "show small pictures, on a terminal with colors")
}
