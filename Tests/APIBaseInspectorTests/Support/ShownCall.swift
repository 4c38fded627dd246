import Foundation

/// A call as the page gets it.
struct ShownCall: Decodable, Sendable {
    struct Segment: Decodable, Sendable {
        let name: String
        let start: Double
        let time: Double
    }

    struct Attempt: Decodable, Sendable {
        let number: Int
        let start: Double
        let end: Double?
        let segments: [Segment]
        let reason: String?
        let entry: Entry?
    }

    struct Entry: Decodable, Sendable {
        let comment: String?
        let request: Message
        let response: Message?
    }

    /// A request or a response.
    struct Message: Decodable, Sendable {
        struct Field: Decodable, Sendable {
            let name: String
            let value: String
        }

        struct Body: Decodable, Sendable {
            let text: String?
            let size: Int?
        }

        let method: String?
        let url: String?
        let status: Int?
        let headers: [Field]
        let postData: Body?
        let content: Body?

        subscript(name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
    }

    let id: Int
    let classes: [String]?
    let account: String?
    let template: String?
    let state: String
    let error: String?
    let started: String
    let time: Double?
    let marks: [String]
    let attempts: [Attempt]

    var isOver: Bool { state != "running" }
    var last: Entry? { attempts.last?.entry }
    var status: Int? { last?.response?.status }
}
