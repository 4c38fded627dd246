import Basics
import HTTPTransport

/// The overrides of a class of request objects without which calls cost less.
struct ClassOverrides {
    /// Whether there may be code that runs in the attempts of a call. Only such code can see the task locals of the
    /// code that has started the call, and keeping those costs a task for each call.
    let codeInAttempts: Bool
    /// Whether ``JSONAPI/decoder`` may be another one than that of the object.
    let decoder: Bool

    #if (os(Linux) || os(Android)) && (arch(x86_64) || arch(arm64))
    private static let known = Locked<[ObjectIdentifier: ClassOverrides]>([:])

    /// The overrides of this class and of those above it; all if that is not known.
    static func of(_ type: APIBase.Type) -> ClassOverrides {
        let key = ObjectIdentifier(type)
        if let known = known.withLock({ $0[key] }) { return known }
        let overrides = ClassOverrides(type)
        known.withLock { $0[key] = overrides }
        return overrides
    }

    private init(_ type: APIBase.Type) {
        guard Self.isReadable else {
            self = .all
            return
        }
        let members = Self.overrides(in: type, of: type is JSONAPI.Type ? JSONAPI.self : APIBase.self)
        codeInAttempts = members.contains { !Self.harmless[$0] }
        decoder = members.contains { Self.decoder.contains($0) }
    }

    /// The members of ``JSONAPI`` for its decoder. A subclass also overrides the initializers that it inherits.
    private static let decoder = Set(overrides(in: OtherDecoder.self, of: JSONAPI.self))
        .subtracting(overrides(in: Plain.self, of: JSONAPI.self))

    /// For each member of ``JSONAPI``, whether its override never runs in an attempt.
    private static let harmless: [Bool] = {
        var harmless = members(of: JSONAPI.self).map { _ in false }
        for member in overrides(in: Harmless.self, of: JSONAPI.self) { harmless[member] = true }
        return harmless
    }()

    /// Whether the classes look as they should.
    private static let isReadable =
        overrides(in: Plain.self, of: JSONAPI.self).allSatisfy { harmless[$0] }
        && !overrides(in: Hooked.self, of: JSONAPI.self).allSatisfy { harmless[$0] }
        && !decoder.isEmpty

    /// The members of `base`, by number, that a subclass overrides.
    ///
    /// The optimizer takes out members that only the module could call: all of them share one address in `base`, and
    /// another one in classes of other modules.
    private static func overrides(in type: APIBase.Type, of base: APIBase.Type) -> [Int] {
        let (own, known) = (members(of: type), members(of: base))
        let changed = known.indices.filter { own[$0] != known[$0] }
        return changed.filter { member in
            !changed.contains { $0 != member && own[$0] == own[member] && known[$0] == known[member] }
        }
    }

    /// The members of a class, those of its superclasses first. A subclass has the same words for what it inherits.
    ///
    /// Source: Swift's documentation of its ABI, "Type Metadata", class metadata without Objective-C. Linux does not
    /// promise it, so ``isReadable`` checks it.
    private static func members(of type: APIBase.Type) -> UnsafeBufferPointer<UInt> {
        let (sizeOffset, addressPointOffset, membersOffset) = (32, 36, 56)
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let size = metadata.load(fromByteOffset: sizeOffset, as: UInt32.self)
        let addressPoint = metadata.load(fromByteOffset: addressPointOffset, as: UInt32.self)
        let bytes = max(0, Int(size) - Int(addressPoint) - membersOffset)
        let words = (metadata + membersOffset).assumingMemoryBound(to: UInt.self)
        return UnsafeBufferPointer(start: words, count: bytes / MemoryLayout<UInt>.size)
    }

    private final class Plain: JSONAPI {}

    private final class Hooked: JSONAPI {
        override func redirect(_ request: URLRequest, after response: HTTPURLResponse) -> URLRequest? { nil }
    }

    private final class OtherDecoder: JSONAPI {
        override var decoder: JSONDecoder {
            get { super.decoder }
            set { super.decoder = newValue }
        }
    }

    /// Overrides what runs when an object or a publisher is made, or when a response has arrived.
    private final class Harmless: JSONAPI {
        override init() { super.init() }
        override init(_ endpoint: Endpoint) { super.init(endpoint) }
        override class var baseURL: URL? { URL(string: "http://localhost") }
        override func configure() { retry = .standard }
        override func startRequest() -> AnyPublisher<DataResponseTuple, any Error> {
            Fail(error: RequestError.noValue).eraseToAnyPublisher()
        }
        override func sendRequest() -> AnyPublisher<DataResponseTuple, any Error> {
            Empty().eraseToAnyPublisher()
        }
        override func accepts(_ response: HTTPURLResponse) -> Bool { false }
        override func detail(of failure: HTTPFailure) -> (any Error)? { RequestError.nonHTTPResponse }
        override func error(for failure: HTTPFailure) -> any Error { RequestError.nonHTTPResponse }
        override func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
            throw RequestError.noValue
        }
    }
    #else
    /// Not known where Objective-C or another size of words gives classes another form.
    static func of(_ type: APIBase.Type) -> ClassOverrides { .all }
    #endif

    static let all = ClassOverrides(codeInAttempts: true, decoder: true)

    private init(codeInAttempts: Bool, decoder: Bool) {
        (self.codeInAttempts, self.decoder) = (codeInAttempts, decoder)
    }
}

extension APIBase {
    /// Whether the attempts of a call run code that could read the task locals of the code that has started the call.
    var runsCodeInAttempts: Bool {
        if overrides.codeInAttempts || content != nil || dataTaskPublisher != nil
            || chosenAccount != nil || features.runUserCode || !watchers.isEmpty
        {
            return true
        }
        if let authorization, !authorization.isConstant { return true }
        if let session = own.value.session, !(session is any EngineSession) { return true }
        return (self as? JSONAPI)?.json != nil
    }
}

extension Authorization {
    /// Whether it is the same header each time.
    fileprivate var isConstant: Bool { if case .header = kind { true } else { false } }
}
