import Foundation

extension Shape {
    static let all = scalars + models + strategies

    private static let scalars: [Shape] = [
        Shape("Int", Int.self, "12", "-3", " 7 ", "12.0"),
        Shape("UInt8", UInt8.self, "12", "255"),
        Shape(
            "String",
            String.self,
            #""text""#,
            #""é\n\u00e9 😀 \ud83d\ude00""#,
            #""a long text with \"quotes\" in it""#
        ),
        Shape("Bool", Bool.self, "true", " false"),
        Shape("Double", Double.self, "1.5", "-122.419415500001234", "6.02214076e23", view: { $0.bitPattern }),
        Shape("Decimal", Decimal.self, "1.5", "123456789.123456789", "-1e-20"),
        Shape("Optional", Int?.self, "null", "5"),
        Shape("[Int]", [Int].self, "[1,2,3]", "[]", "[ 1 , -2, 300000000000 ]"),
        Shape("[Double]", [Double].self, "[1.5,2,3e5,0.1]", "[1,-0.25]", view: { $0.map(\.bitPattern) }),
        Shape("[String]", [String].self, #"["a","bc\n","é"]"#, "[]"),
        Shape("[Int?]", [Int?].self, "[1,null,3]"),
        Shape(
            "[[Float]]",
            [[Float]].self,
            "[[1.5,2],[0.1,16777217,3.4e38]]",
            view: { $0.map { $0.map(\.bitPattern) } }
        ),
        Shape("Set", Set<Int>.self, "[1,2,2,3]"),
        Shape("range", ClosedRange<Int>.self, "[1,5]"),
        Shape("[String: Int]", [String: Int].self, #"{"a":1,"b":2,"é":3,"K":4}"#, "{}", hasDictionary: true),
        Shape("[Int: String]", [Int: String].self, #"{"1":"a","2":"b"}"#, hasDictionary: true),
        Shape("[Suit: Int]", [Suit: Int].self, #"["hearts",1,"spades",2]"#),
        Shape("wide integers", Wide.self, #"{"a":1,"b":340282366920938463463374607431768211455,"c":null}"#),
    ]

    private static let person = """
        {"id":1,"firstName":"A\\u00e9","lastName":null,"isActive":true,\
        "home":{"street":"S","number":5,"tags":["x","y"]},"others":[{"street":"T","tags":[]}]}
        """
    private static let snake = """
        {"id":1,"first_name":"A","last_name":"B","is_active":true,"home":{"street":"S","number":5,"tags":["x"]},\
        "others":[{"street":"T","tags":[]}],"_first_name_":1}
        """

    private static let models: [Shape] = [
        Shape(
            "integers",
            Integers.self,
            #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10}"#
        ),
        Shape(
            "optionals",
            Optionals.self,

            #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":1.5,"l":2.5,"m":true,"n":"x","o":[1]}"#,
            #"{"p":0,"q":"http://a","r":"AQID","s":1.5,"k":null,"m":null,"a":null,"n":null,"extra":{"b":[1,{}]}}"#
        ),
        Shape("floats", Floats.self, #"{"a":1.5,"b":0.1,"c":[1e22,1e23,0.3],"d":[1,0.1,1e-45]}"#, view: { $0.bits }),
        Shape("person", Person.self, person),
        Shape("people", [Person].self, "[\(person),\n  \(person)]"),
        Shape("drawing", [Drawing].self, #"[{"circle":{"radius":1}},{"box":{"width":1,"height":2}},{"nothing":{}}]"#),
        Shape("suits", [Suit].self, #"["hearts","spades"]"#),
        Shape("tree", Tree.self, "[1,[2,[3,[]]],4]"),
        Shape(
            "anything",
            Anything.self,
            #"{"a":[1,"x",null,true,{"b":1.5}],"é":{}}"#,
            person,
            "[[[]]]",
            hasDictionary: true
        ),
        Shape("derived", Derived.self, #"{"size":1.5,"super":{"id":1,"name":"x"}}"#, #"{"size":1}"#) {
            "\($0.size) \($0.id) \($0.name ?? "-")"
        },
        Shape(
            "mixed",
            Mixed.self,
            #"[1,null,"x",[true,false],{"a":1,"b":null},5,2.5]"#,
            "[1,null,null,[],{\"b\":1},5]"
        ),
        Shape("paths", Paths.self, #"{"inner_part":{"list":[1,{},[]],"x":5},"K":1,"é":2}"#),
        Shape("backwards", Backwards.self, #"{"a":1,"b":null,"c":3,"a":4}"#, hasDictionary: true),
        Shape(
            "many keys",
            Backwards.self,
            "{\((0..<40).map { "\"key\($0)\":\($0)" }.joined(separator: ","))}",
            hasDictionary: true
        ),
        Shape("lossy", [Lossy<Person.Home>].self, #"[{"street":"S","tags":["a"]},1,null,{"street":2}]"#),
        Shape(
            "dictionary of models",
            [String: Person.Home].self,
            #"{"a":{"street":"S","tags":[]}}"#,
            hasDictionary: true
        ),
    ]

    private static let strategies: [Shape] = [
        Shape("dates", [Date].self, "[1.5,2,-3e5]"),
        Shape("dates since 1970", [Date].self, "[1.5,2,-3e5]") { $0.dateDecodingStrategy = .secondsSince1970 },
        Shape("milliseconds", [Date].self, "[1500,2]") { $0.dateDecodingStrategy = .millisecondsSince1970 },
        Shape("ISO dates", [Date].self, #"["2026-11-22T18:24:55Z","1999-12-31T23:59:59+02:00"]"#) {
            $0.dateDecodingStrategy = .iso8601
        },
        Shape("own dates", [Date?].self, #"[{"at":5},null]"#) {
            $0.dateDecodingStrategy = .custom { decoder in
                let container = try decoder.container(keyedBy: Name.self)
                return Date(timeIntervalSince1970: try container.decode(Double.self, forKey: Name("at")))
            }
        },
        Shape("special", Special.self, #"{"date":1,"data":"AQID","url":"http://a/b","amount":1.50,"uuid":null}"#),
        Shape("data of numbers", [Data].self, "[[1,2,255],[]]") { $0.dataDecodingStrategy = .deferredToData },
        Shape("own data", [Data].self, #"["ab","c"]"#) {
            $0.dataDecodingStrategy = .custom { Data(try String(from: $0).utf8) }
        },
        Shape("no numbers", Floats.self, #"{"a":"Infinity","b":"-Infinity","c":["NaN",1],"d":["NaN"]}"#) {
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "Infinity",
                negativeInfinity: "-Infinity",
                nan: "NaN"
            )
        } view: {
            $0.bits
        },
        Shape("snake case", Person.self, snake) { $0.keyDecodingStrategy = .convertFromSnakeCase },
        Shape("snake case paths", Paths.self, #"{"inner_part":{"list":[1],"x":5},"innerPart":{"list":[2]},"K":1}"#) {
            $0.keyDecodingStrategy = .convertFromSnakeCase
        },
        Shape("snake case dictionary", [String: [String: Int]].self, #"{"a_b":{"c_d":1}}"#, hasDictionary: true) {
            $0.keyDecodingStrategy = .convertFromSnakeCase
        },
        Shape("own keys", Person.self, person) {
            $0.keyDecodingStrategy = .custom { path in
                let last = path.last?.stringValue ?? ""
                return Name(path.count > 1 && last == "T" ? "tags" : last)
            }
        },
        Shape("own information", [Informed].self, #"["a","b"]"#) {
            if let key = CodingUserInfoKey(rawValue: "key") { $0.userInfo[key] = 5 }
        },
    ]
}
