extension JSONValue {
    /// The value after the operations of a JSON Patch (RFC 6902), in their order, as for a stub that keeps a state.
    ///
    /// - Throws: `JSONPatch.Failure` for the first operation that cannot be applied.
    public func applying(_ patch: [JSONPatch]) throws -> JSONValue {
        try patch.enumerated().reduce(self) { document, operation in
            do throws(Misfit) {
                return try document.applying(operation.element)
            } catch {
                throw JSONPatch.Failure(index: operation.offset, path: error.path, reason: error.reason)
            }
        }
    }

    private func applying(_ operation: JSONPatch) throws(Misfit) -> JSONValue {
        switch operation {
        case .add(let path, let value): return try adding(value, at: Pointer(path))
        case .remove(let path): return try removing(at: Pointer(path))
        case .replace(let path, let value):
            let pointer = try Pointer(path)
            return try removing(at: pointer).adding(value, at: pointer)
        case .move(let from, let path):
            let (source, target) = (try Pointer(from), try Pointer(path))
            let value = try value(at: source)
            guard !target.isInside(source) else {
                throw Misfit(path: path, reason: .moveIntoItself)
            }
            return try removing(at: source).adding(value, at: target)
        case .copy(let from, let path): return try adding(value(at: Pointer(from)), at: Pointer(path))
        case .test(let path, let expected):
            guard try value(at: Pointer(path)).isEqualInJSON(to: expected) else {
                throw Misfit(path: path, reason: .different)
            }
            return self
        }
    }

    private func value(at pointer: Pointer) throws(Misfit) -> JSONValue {
        var value = self
        for name in pointer.names {
            guard let member = value.child(name) else { throw pointer.misfit }
            value = member
        }
        return value
    }

    private func adding(_ value: JSONValue, at pointer: Pointer) throws(Misfit) -> JSONValue {
        guard !pointer.names.isEmpty else { return value }
        return try changing(pointer, pointer.names[...]) { parent, name throws(Misfit) in
            switch parent {
            case .object(var members):
                guard !members.hasOtherMember(like: name) else {
                    throw Misfit(path: pointer.path, reason: .indistinctName)
                }
                members[name] = value
                return .object(members)
            case .array(var elements):
                let index = name == "-" ? elements.count : name.arrayIndex
                guard let index, index <= elements.count else { return nil }
                elements.insert(value, at: index)
                return .array(elements)
            default: return nil
            }
        }
    }

    /// Without the value at a place. The document itself becomes `null`.
    private func removing(at pointer: Pointer) throws(Misfit) -> JSONValue {
        guard !pointer.names.isEmpty else { return .null }
        return try changing(pointer, pointer.names[...]) { parent, name in
            parent.child(name).map { _ in parent.storing(nil, at: name) }
        }
    }

    /// Changes the value that holds the last of the names. The change returns `nil` if it does not fit.
    private func changing(
        _ pointer: Pointer,
        _ names: ArraySlice<String>,
        _ change: (JSONValue, String) throws(Misfit) -> JSONValue?
    ) throws(Misfit) -> JSONValue {
        guard let name = names.first else { throw pointer.misfit }
        let rest = names.dropFirst()
        if rest.isEmpty {
            guard let changed = try change(self, name) else { throw pointer.misfit }
            return changed
        }
        guard let child = child(name) else { throw pointer.misfit }
        return storing(try child.changing(pointer, rest, change), at: name)
    }

    private func child(_ name: String) -> JSONValue? {
        array == nil ? object?.member(name) : name.arrayIndex.flatMap { self[$0] }
    }

    /// With another child in place of one that exists; without it for `nil`.
    private func storing(_ child: JSONValue?, at name: String) -> JSONValue {
        switch self {
        case .object(var members):
            members[name] = child
            return .object(members)
        case .array(var elements):
            if let index = name.arrayIndex { elements.replaceSubrange(index...index, with: child.map { [$0] } ?? []) }
            return .array(elements)
        default: return self
        }
    }

    /// The equality of RFC 6902, section 4.6, which knows one kind of number.
    private func isEqualInJSON(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isEqualInJSON(to: $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { name, value in right.member(name).map { value.isEqualInJSON(to: $0) } ?? false }
        case (.integer, .number), (.number, .integer): number == other.number
        default: self == other
        }
    }
}

extension JSONPatch {
    /// The reason why a patch does not apply to a document.
    public struct Failure: Error, Hashable {
        /// A reason.
        public enum Reason: Hashable, Sendable {
            /// The path is not empty and does not begin with a slash, or has a `~` without `0` or `1` after it.
            case invalidPath
            /// There is no value at the path, or nothing into which it could be added.
            case missing
            /// The value differs from that of the test.
            case different
            /// A value cannot be moved into itself.
            case moveIntoItself
            /// The object has a member with the same name in other code points: see `JSONValue.IndistinctName`.
            case indistinctName
        }

        /// The index of the operation in the patch.
        public let index: Int
        /// The path that does not fit.
        public let path: String
        /// The reason.
        public let reason: Reason
    }
}

extension JSONPatch.Failure: LocalizedError, CustomStringConvertible {
    /// The failure as a sentence, without values of the document.
    public var description: String {
        let reason =
            switch reason {
            case .invalidPath: "“\(path)” is no JSON Pointer"
            case .missing: "there is no place “\(path)”"
            case .different: "the value at “\(path)” is another one"
            case .moveIntoItself: "a value cannot be moved into itself, to “\(path)”"
            case .indistinctName: "beside “\(path)” there is a member with that name in other code points"
            }
        return "The operation at index \(index) of the patch cannot be applied: \(reason)."
    }

    /// The failure as a sentence.
    public var errorDescription: String? { description }
}

/// A place that does not fit a document.
private struct Misfit: Error {
    let path: String
    let reason: JSONPatch.Failure.Reason
}

/// A JSON Pointer (RFC 6901), taken apart.
private struct Pointer {
    let path: String
    let names: [String]

    var misfit: Misfit { Misfit(path: path, reason: .missing) }

    /// By bytes: a slash with a combining mark after it is another `Character`, but still a slash.
    init(_ path: String) throws(Misfit) {
        let invalid = Misfit(path: path, reason: .invalidPath)
        guard path.isEmpty || path.utf8.first == UInt8(ascii: "/") else { throw invalid }
        self.path = path
        var names: [String] = []
        for part in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            guard let name = String(unescaping: part) else { throw invalid }
            names.append(name)
        }
        self.names = names
    }

    /// True if this place is below the other.
    func isInside(_ other: Pointer) -> Bool { path.utf8.starts(with: (other.path + "/").utf8) }
}

extension String {
    /// A part of a JSON Pointer, with `~1` for a slash and `~0` for a tilde; `nil` for any other `~`.
    fileprivate init?(unescaping part: Substring.UTF8View) {
        var (bytes, isEscaped): ([UInt8], Bool) = ([], false)
        for byte in part {
            switch byte {
            case UInt8(ascii: "0") where isEscaped: bytes.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1") where isEscaped: bytes.append(UInt8(ascii: "/"))
            case _ where isEscaped: return nil
            case UInt8(ascii: "~"):
                isEscaped = true
                continue
            default: bytes.append(byte)
            }
            isEscaped = false
        }
        guard !isEscaped else { return nil }
        self.init(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// The index of an element: digits without a leading zero (RFC 6901, section 4).
    fileprivate var arrayIndex: Int? {
        guard self == "0" || utf8.first != UInt8(ascii: "0"),
            utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else {
            return nil
        }
        return Int(self)
    }
}
