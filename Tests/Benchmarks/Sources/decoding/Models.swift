import Foundation

struct User: Decodable {
    struct Address: Decodable {
        struct Place: Decodable {
            var lat: String
            var lng: String
        }
        var street: String
        var suite: String
        var city: String
        var zipcode: String
        var geo: Place
    }
    struct Company: Decodable {
        var name: String
        var catchPhrase: String
        var bs: String
    }
    var id: Int
    var name: String
    var username: String
    var email: String
    var address: Address
    var phone: String
    var website: String
    var company: Company
}

struct Event: Decodable {
    var id: Int
    var type: String
    var date: Date
    var end: Date?
    var isPublic: Bool
    var values: [Double]
    var counts: [Int]
}

struct FeatureCollection: Decodable {
    struct Feature: Decodable {
        struct Properties: Decodable {
            var name: String
            var population: Int?
        }
        struct Geometry: Decodable {
            var type: String
            var coordinates: [[[Double]]]
        }
        var type: String
        var properties: Properties
        var geometry: Geometry
    }
    var type: String
    var features: [Feature]
}

final class Nest: Decodable {
    var next: Nest?
}

struct Post: Decodable {
    var id: Int
    var title: String
    var body: String
}

struct Strict: Decodable {
    var id: Int
    var value: Int
}

/// An element that may fail without the array failing.
struct Lossy<Element: Decodable>: Decodable {
    var element: Element?
    init(from decoder: any Decoder) { element = try? Element(from: decoder) }
}
