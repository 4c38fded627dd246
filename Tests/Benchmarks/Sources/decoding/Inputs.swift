import Foundation

/// The documents, made here so that each run has the same.
enum Inputs {
    static func users(_ count: Int) -> Data {
        let users = (1...count).map { id in
            """
            {"id":\(id),"name":"Clementine Bauch","username":"Samantha\(id)","email":"Nathan\(id)@yesenia.net",\
            "address":{"street":"Douglas Extension","suite":"Suite 847","city":"McKenziehaven","zipcode":"59590-4157",\
            "geo":{"lat":"-68.6102","lng":"-47.0653"}},"phone":"1-463-123-4447","website":"ramiro.info",\
            "company":{"name":"Romaguera-Jacobson","catchPhrase":"Face to face bifurcated interface",\
            "bs":"e-enable strategic applications"}}
            """
        }
        return Data("[\(users.joined(separator: ","))]".utf8)
    }

    /// Fifty events, each with the date that `date` writes for it.
    static func events(_ date: (Int) -> String) -> Data {
        let events = (1...50).map { id in
            let values = (0..<10).map { "\(Double(id * 31 + $0 * 17) / 8)" }.joined(separator: ",")
            let counts = (0..<10).map { "\(id * 7 + $0)" }.joined(separator: ",")
            return """
                {"id":\(id),"type":"measurement","date":\(date(id)),"end":\(id % 3 == 0 ? "null" : date(id + 1)),\
                "isPublic":\(id % 2 == 0),"values":[\(values)],"counts":[\(counts)]}
                """
        }
        return Data("[\(events.joined(separator: ","))]".utf8)
    }

    /// Forty polygons. Their coordinates have that number of decimal places.
    static func places(digits: Int) -> Data {
        var state: UInt64 = 7
        func coordinate() -> String {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let fraction = String(String(state).suffix(15).prefix(digits))
            return "\(Int(state >> 57) - 64).\(fraction.hasSuffix("0") ? fraction.dropLast() + "1" : fraction)"
        }
        let features = (1...40).map { id in
            let ring = (0..<20).map { _ in "[\(coordinate()),\(coordinate())]" }.joined(separator: ",")
            return """
                {"type":"Feature","properties":{"name":"Place \(id)","population":\(id * 1013)},\
                "geometry":{"type":"Polygon","coordinates":[[\(ring)]]}}
                """
        }
        return Data(#"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#.utf8)
    }

    static func dictionary(_ count: Int) -> Data {
        Data(
            "{\((0..<count).map { "\"key \($0 &* 2_654_435_761 % 1_000_003)/\($0)\":\($0)" }.joined(separator: ","))}"
                .utf8
        )
    }

    static func nest(_ depth: Int) -> Data {
        Data((String(repeating: #"{"next":"#, count: depth) + "null" + String(repeating: "}", count: depth)).utf8)
    }

    static func posts(_ body: String) -> Data {
        let posts = (1...100).map { #"{"id":\#($0),"title":"title \#($0)","body":"\#(body)"}"# }
        return Data("[\(posts.joined(separator: ","))]".utf8)
    }

    /// A hundred elements, of which some have a string where a number should be.
    static func elements(wrong: Set<Int>) -> Data {
        let elements = (0..<100).map { #"{"id":\#($0),"value":\#(wrong.contains($0) ? #""no""# : "12")}"# }
        return Data("[\(elements.joined(separator: ","))]".utf8)
    }
}
