extension Publishers {
    /// A publisher of the elements of a sequence.
    public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
        /// The elements.
        public typealias Output = Elements.Element

        /// The sequence. It is iterated anew for each subscriber.
        public let sequence: Elements

        /// Creates a publisher of the elements of `sequence`.
        @inlinable public init(sequence: Elements) { self.sequence = sequence }

        /// Attaches `subscriber`. It gets as many elements as it asks for; the end follows the last one at once.
        @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let source = SequenceSubscription<Elements, AnySubscriber<Output, Failure>>.Source(sequence)
            guard source.next != nil else { return Empty().receive(subscriber: subscriber) }
            subscriber.receive(
                subscription: ErasedSubscription(SequenceSubscription(sequence, source, for: AnySubscriber(subscriber)))
            )
        }
    }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}

extension Sequence {
    /// A publisher of the elements.
    @inlinable public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}

#if !canImport(Combine)
// The closures of these operators run when the operator is called.
extension Publishers.Sequence {
    /// The elements transformed.
    public func map<T>(_ transform: (Output) -> T) -> Publishers.Sequence<[T], Failure> {
        .init(sequence: sequence.map(transform))
    }

    /// The elements transformed, without those that become nil.
    public func compactMap<T>(_ transform: (Output) -> T?) -> Publishers.Sequence<[T], Failure> {
        .init(sequence: sequence.compactMap(transform))
    }

    /// The elements with `output` in place of each nil.
    public func replaceNil<T>(with output: T) -> Publishers.Sequence<[T], Failure> where Output == T? {
        map { $0 ?? output }
    }

    /// The elements that `isIncluded` accepts.
    public func filter(_ isIncluded: (Output) -> Bool) -> Publishers.Sequence<[Output], Failure> {
        .init(sequence: sequence.filter(isIncluded))
    }

    /// The results of combining the elements so far.
    public func scan<T>(_ first: T, _ next: (T, Output) -> T) -> Publishers.Sequence<[T], Failure> {
        var result = first
        return map { element in
            result = next(result, element)
            return result
        }
    }

    /// All elements combined into one.
    public func reduce<T>(_ first: T, _ next: (T, Output) -> T) -> Result<T, Failure>.Publisher {
        .init(sequence.reduce(first, next))
    }

    /// All elements combined into one, or the error the closure throws.
    public func tryReduce<T>(_ first: T, _ next: (T, Output) throws -> T) -> Result<T, any Error>.Publisher {
        .init(Result { try sequence.reduce(first, next) })
    }

    /// Whether `predicate` accepts all elements.
    public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
        .init(sequence.allSatisfy(predicate))
    }

    /// Whether `predicate` accepts all elements, or the error it throws.
    public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        .init(Result { try sequence.allSatisfy(predicate) })
    }

    /// Whether `predicate` accepts an element.
    public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
        .init(sequence.contains(where: predicate))
    }

    /// Whether `predicate` accepts an element, or the error it throws.
    public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        .init(Result { try sequence.contains(where: predicate) })
    }

    /// All elements in one array.
    public func collect() -> Result<[Output], Failure>.Publisher { .init(Array(sequence)) }

    /// A publisher of the completion only.
    public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

    /// The elements after the first `count`. A negative count is a programmer error.
    public func dropFirst(_ count: Int = 1) -> Publishers.Sequence<DropFirstSequence<Elements>, Failure> {
        .init(sequence: sequence.dropFirst(count))
    }

    /// The elements from the first one on that `predicate` rejects.
    public func drop(while predicate: (Output) -> Bool) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> {
        .init(sequence: sequence.drop(while: predicate))
    }

    /// The first `maxLength` elements. A negative length is a programmer error.
    public func prefix(_ maxLength: Int) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
        .init(sequence: sequence.prefix(maxLength))
    }

    /// The elements before the first one that `predicate` rejects.
    public func prefix(while predicate: (Output) -> Bool) -> Publishers.Sequence<[Output], Failure> {
        .init(sequence: sequence.prefix(while: predicate))
    }
}

extension Publishers.Sequence where Failure == Never {
    /// The elements with another failure type.
    @inlinable public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.Sequence<Elements, E> {
        .init(sequence: sequence)
    }

    /// The least element; no value if the sequence is empty.
    public func min(by precedes: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
        .init(sequence.min(by: precedes))
    }

    /// The greatest element; no value if the sequence is empty.
    public func max(by precedes: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
        .init(sequence.max(by: precedes))
    }

    /// The first element that `predicate` accepts, if any.
    public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
        .init(sequence.first(where: predicate))
    }
}

extension Publishers.Sequence where Output: Equatable {
    /// The elements that differ from the one before.
    public func removeDuplicates() -> Publishers.Sequence<[Output], Failure> {
        var last: Output?
        return filter { element in
            defer { last = element }
            return element != last
        }
    }

    /// Whether `output` is among the elements.
    public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher { .init(sequence.contains(output)) }
}

extension Publishers.Sequence where Output: Comparable, Failure == Never {
    /// The least element; no value if the sequence is empty.
    public func min() -> Optional<Output>.Publisher { .init(sequence.min()) }

    /// The greatest element; no value if the sequence is empty.
    public func max() -> Optional<Output>.Publisher { .init(sequence.max()) }
}

extension Publishers.Sequence where Elements: Collection {
    /// The number of elements.
    public func count() -> Result<Int, Failure>.Publisher { .init(sequence.count) }

    /// The elements at the indices in `range`, as far as they exist.
    public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Output], Failure> {
        .init(sequence: Array(sequence[range.clamped(to: sequence.startIndex..<sequence.endIndex)]))
    }
}

extension Publishers.Sequence where Elements: Collection, Failure == Never {
    /// The first element; no value if the sequence is empty.
    public func first() -> Optional<Output>.Publisher { .init(sequence.first) }

    /// The element at `index`; no value after the end.
    public func output(at index: Elements.Index) -> Optional<Output>.Publisher {
        let isThere = (sequence.startIndex..<sequence.endIndex).contains(index)
        return .init(isThere ? sequence[index] : nil)
    }
}

extension Publishers.Sequence where Elements: BidirectionalCollection, Failure == Never {
    /// The last element; no value if the sequence is empty.
    public func last() -> Optional<Output>.Publisher { .init(sequence.last) }

    /// The last element that `predicate` accepts, if any.
    public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
        .init(sequence.last(where: predicate))
    }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
    /// The number of elements.
    public func count() -> Just<Int> { Just(sequence.count) }
}

extension Publishers.Sequence where Elements: RangeReplaceableCollection {
    /// `elements` followed by these.
    public func prepend(_ elements: Output...) -> Self { prepend(elements) }

    /// `elements` followed by these.
    public func prepend<S: Sequence>(_ elements: S) -> Self where S.Element == Output {
        Self(sequence: Elements(elements) + sequence)
    }

    /// The elements of `publisher` followed by these.
    public func prepend(_ publisher: Self) -> Self { prepend(publisher.sequence) }

    /// These elements followed by `elements`.
    public func append(_ elements: Output...) -> Self { append(elements) }

    /// These elements followed by `elements`.
    public func append<S: Sequence>(_ elements: S) -> Self where S.Element == Output {
        Self(sequence: sequence + elements)
    }

    /// These elements followed by those of `publisher`.
    public func append(_ publisher: Self) -> Self { append(publisher.sequence) }
}
#endif
