import Foundation

struct Integers: Decodable, Equatable {
    var a: Int, b: Int8, c: Int16, d: Int32, e: Int64, f: UInt, g: UInt8, h: UInt16, i: UInt32, j: UInt64
}

struct Optionals: Decodable, Equatable {
    var a: Int?, b: Int8?, c: Int16?, d: Int32?, e: Int64?, f: UInt?, g: UInt8?, h: UInt16?, i: UInt32?, j: UInt64?
    var k: Double?, l: Float?, m: Bool?, n: String?, o: [Int]?, p: Date?, q: URL?, r: Data?, s: Decimal?
}

struct Wide: Decodable, Equatable {
    var a: Int128, b: UInt128, c: Int128?
}

struct Floats: Decodable {
    var a: Double, b: Float, c: [Double], d: [Float]

    /// All bits: zero has a sign, and what is no number equals nothing.
    var bits: [UInt64] {
        [a.bitPattern, UInt64(b.bitPattern)] + c.map(\.bitPattern) + d.map { UInt64($0.bitPattern) }
    }
}

struct Person: Decodable, Equatable {
    struct Home: Decodable, Equatable {
        var street: String, number: Int?, tags: [String]
    }
    var id: Int, firstName: String, lastName: String?, isActive: Bool, home: Home, others: [Home]
}

struct Special: Decodable, Equatable {
    var date: Date, data: Data, url: URL, amount: Decimal, uuid: UUID?
}

enum Suit: String, Decodable { case hearts, spades }

enum Drawing: Decodable, Equatable {
    case circle(radius: Double)
    case box(width: Int, height: Int)
    case nothing
}

indirect enum Tree: Decodable, Equatable {
    case leaf(Int)
    case branch([Tree])

    init(from decoder: any Decoder) throws {
        if let number = try? decoder.singleValueContainer().decode(Int.self) {
            self = .leaf(number)
        } else {
            self = .branch(try decoder.singleValueContainer().decode([Tree].self))
        }
    }
}

/// Any document, by trying one type after the other.
indirect enum Anything: Decodable, Equatable {
    case null, bool(Bool), number(Double), string(String), array([Anything]), object([String: Anything])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([Anything].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: Anything].self))
        }
    }
}

class Base: Decodable {
    var id: Int
    var name: String?
}

final class Derived: Base {
    var size: Double
    private enum CodingKeys: String, CodingKey { case size }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        size = try container.decode(Double.self, forKey: .size)
        try super.init(from: container.superDecoder())
    }
}

/// Elements of several types, one after the other, and what the container says on the way.
struct Mixed: Decodable, Equatable {
    var log: [String] = []

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        log.append("\(container.count ?? -1)")
        log.append("\(try container.decode(Int.self))")
        log.append("\(try container.decodeNil())")
        log.append("\(try container.decodeIfPresent(String.self) ?? "-")")
        var inner = try container.nestedUnkeyedContainer()
        while !inner.isAtEnd { log.append("\(try inner.decode(Bool.self)) \(inner.currentIndex)") }
        let keyed = try container.nestedContainer(keyedBy: Name.self)
        log.append("\(keyed.contains(Name("a"))) \(try keyed.decodeNil(forKey: Name("b")))")
        log.append(path(keyed.codingPath))
        log.append("\(try Int(from: container.superDecoder()))")
        log.append("\(try container.decodeIfPresent(Double.self) ?? -1) \(container.currentIndex) \(container.isAtEnd)")
    }
}

/// Nested containers and decoders, and the paths they have.
struct Paths: Decodable, Equatable {
    var log: [String] = []

    init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Name.self)
        log.append(contentsOf: outer.allKeys.map(\.stringValue).sorted())
        let part = outer.contains(Name("innerPart")) ? "innerPart" : "inner_part"
        let inner = try outer.nestedContainer(keyedBy: Name.self, forKey: Name(part))
        var list = try inner.nestedUnkeyedContainer(forKey: Name("list"))
        while !list.isAtEnd { log.append(path(try list.superDecoder().codingPath)) }
        log.append(path(try outer.superDecoder(forKey: Name("absent")).codingPath))
        log.append("\(try outer.superDecoder().singleValueContainer().decodeNil())")
        log.append("\(try Int(from: inner.superDecoder(forKey: Name("x"))))")
        log.append("\(outer.contains(Name("K"))) \(outer.contains(Name("\u{212A}"))) \(outer.contains(Name("é")))")
    }
}

/// A dictionary that keeps what it finds, twice, and from the last key to the first.
struct Backwards: Decodable, Equatable {
    var values: [String: Double] = [:]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        for key in container.allKeys.sorted(by: { $0.stringValue > $1.stringValue }) {
            values[key.stringValue] = try container.decodeIfPresent(Double.self, forKey: key)
            _ = try container.decodeIfPresent(Double.self, forKey: key)
        }
    }
}

struct Lossy<Element: Decodable & Equatable>: Decodable, Equatable {
    var element: Element?
    init(from decoder: any Decoder) { element = try? Element(from: decoder) }
}

struct Informed: Decodable, Equatable {
    var text: String
    init(from decoder: any Decoder) throws {
        text = "\(decoder.userInfo.map { "\($0.key.rawValue) \($0.value)" }) \(try String(from: decoder))"
    }
}

struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

func path(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: "/") }
