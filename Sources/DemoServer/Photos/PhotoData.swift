import Foundation

/// The photos of the photo API, encoded once.
enum PhotoData {
    struct Photo: Sendable {
        let id: String
        let searchText: String
        /// As `#RRGGBB`.
        let color: String
        /// The JSON, split where the URL of the image belongs.
        fileprivate let pieces: [Data]

        /// The JSON, with the base URL of the images.
        func encoded(at base: String) -> Data { Data(pieces.joined(separator: "\(base)/images/\(id)".utf8)) }
    }

    static let photos = (1...300).map(photo)
    static let indices = Dictionary(uniqueKeysWithValues: photos.enumerated().map { ($1.id, $0) })

    private static let things = [
        "laptop", "lake", "forest", "bridge", "cat", "street", "mountain", "book", "lamp", "boat",
    ]
    private static let places = [
        "on a wooden table", "in the morning", "under a grey sky", "beside the road", "at night",
    ]

    private static func photo(_ number: Int) -> Photo {
        let id = identifier(number, mark: "p")
        let color = number * 7_919 * 31 % 0x100_0000
        let hexColor = "#" + String(0x100_0000 + color, radix: 16).uppercased().dropFirst()
        let text = "\(things[number % things.count]) \(places[number / 3 % places.count])"
        let user = photographer(number % 12 + 1)
        let page = "https://photos.example.com/photos/\(id)"
        let json: JSONValue = [
            "id": .string(id), "created_at": .string(date(number, hour: 18)),
            "updated_at": .string(date(number, hour: 20)),
            "promoted_at": number % 4 == 0 ? .string(date(number, hour: 19)) : nil,
            "width": .int(3_000 + number * 16), "height": .int(2_000 + number * 9), "color": .string(hexColor),
            "blur_hash": .string(blurHash(color)), "description": number % 3 == 0 ? .string("Photo \(number)") : nil,
            "alt_description": .string(text), "urls": urls,
            "links": [
                "self": "https://api.example.com/photos/\(id)", "html": .string(page),
                "download": "\(page)/download", "download_location": "https://api.example.com/photos/\(id)/download",
            ],
            "categories": [], "likes": .int(number * 37 % 900), "liked_by_user": false, "current_user_collections": [],
            "sponsorship": number % 10 == 1 ? sponsorship(user) : nil, "user": user,
        ]
        return Photo(id: id, searchText: "\(text) photo \(number)", color: hexColor, pieces: pieces(of: json.encoded))
    }

    private static func sponsorship(_ sponsor: JSONValue) -> JSONValue {
        [
            "impression_urls": ["https://ads.example.com/pixel.gif?rnd=[timestamp]"],
            "tagline": "A line of words", "tagline_url": "https://www.example.com/", "sponsor": sponsor,
        ]
    }

    private static func photographer(_ number: Int) -> JSONValue {
        let name = "photographer\(number)"
        let api = "https://api.example.com/users/\(name)"
        let image = "https://images.example.com/profile-\(number)?fm=jpg&crop=faces&fit=crop"
        return [
            "id": .string(identifier(number, mark: "u")), "updated_at": .string(date(number, hour: 12)),
            "username": .string(name), "name": "Photographer \(number)", "first_name": "Photographer",
            "last_name": .string(String(number)), "twitter_username": nil,
            "portfolio_url": number % 2 == 0 ? "https://www.example.com/\(name)" : nil,
            "bio": number % 3 == 0 ? nil : "Takes photo after photo.",
            "location": number % 4 == 0 ? "City \(number)" : nil,
            "links": [
                "self": .string(api), "html": "https://photos.example.com/@\(name)", "photos": "\(api)/photos",
                "likes": "\(api)/likes", "portfolio": "\(api)/portfolio", "following": "\(api)/following",
                "followers": "\(api)/followers",
            ],
            "profile_image": [
                "small": "\(image)&h=32&w=32", "medium": "\(image)&h=64&w=64", "large": "\(image)&h=128&w=128",
            ],
            "instagram_username": nil, "total_collections": .int(number % 5), "total_likes": .int(number * 3),
            "total_photos": 25, "accepted_tos": true,
        ]
    }

    /// The placeholder for the URL of the image without its query. It occurs in no text.
    private static let mark = "\u{FFFC}"

    private static func pieces(of json: Data) -> [Data] {
        var (pieces, rest) = ([Data](), json[...])
        while let place = rest.range(of: Data(mark.utf8)) {
            pieces.append(rest[..<place.lowerBound])
            rest = rest[place.upperBound...]
        }
        return pieces + [rest]
    }

    private static var urls: JSONValue {
        let raw = "\(mark)?ixlib=rb-1.2.1"
        let sized = "\(raw)&q=80&fm=svg&crop=entropy&cs=tinysrgb&fit=max"
        return [
            "raw": .string(raw), "full": "\(raw)&q=85&fm=svg&crop=entropy&cs=srgb", "regular": "\(sized)&w=1080",
            "small": "\(sized)&w=400", "thumb": "\(sized)&w=200",
        ]
    }

    private static func identifier(_ number: Int, mark: String) -> String {
        let digits = String((Int64(number) * 2_654_435_761) % 3_656_158_440_062_976, radix: 36)
        return mark + String(repeating: "0", count: max(0, 10 - digits.count)) + digits
    }

    private static func date(_ number: Int, hour: Int) -> String {
        let day = number % 28 + 1
        return "2020-0\(number % 9 + 1)-\(day < 10 ? "0" : "")\(day)T\(hour):31:27-04:00"
    }

    /// A BlurHash of three by two components, in base 83.
    private static func blurHash(_ color: Int) -> String {
        let components = (1...5).map { digits(color / ($0 * $0) * 7_919 % 6_859, count: 2) }
        return digits(11, count: 1) + digits(40, count: 1) + digits(color, count: 4) + components.joined()
    }

    private static func digits(_ number: Int, count: Int) -> String {
        let powers = (0..<count).reversed().map { (0..<$0).reduce(1) { power, _ in power * 83 } }
        return String(powers.map { alphabet[number / $0 % 83] })
    }

    private static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~"
    )
}
