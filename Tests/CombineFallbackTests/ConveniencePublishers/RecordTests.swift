import Foundation
import PortableCombine
import TestTiers
import Testing

@Suite(.limited) struct RecordTests {
    struct Refusal: Error, Codable, Equatable {}

    @Test func `A Record publisher delivers its values and completion to each subscriber`() {
        let record = Record<Int, Boom> { recording in
            recording.receive(1)
            recording.receive(2)
            recording.receive(completion: .failure(Boom()))
        }
        for _ in 0..<2 {
            let played = recorded(record)
            #expect(played.values == [1, 2])
            #expect(played.end == .failure(Boom()))
        }
    }

    @Test func `A Record publisher delivers no more values than requested and finishes after the last value`() {
        let tracker = TrackingSubscriber<Int, Boom>(initial: .max(1))
        Record<Int, Boom>(output: [1, 2], completion: .finished).subscribe(tracker)
        #expect(tracker.values == [1])
        #expect(tracker.endings == 0)
        tracker.request(.max(1))
        #expect(tracker.events.last == .finished)
    }

    @Test func `A Record publisher without values delivers its failure without demand`() {
        let tracker = TrackingSubscriber<Int, Boom>(initial: .none)
        Record<Int, Boom>(output: [], completion: .failure(Boom())).subscribe(tracker)
        #expect(tracker.events.last == .failure("Boom()"))
    }

    @Test(arguments: [Subscribers.Completion<Refusal>.finished, .failure(Refusal())])
    func `A Record publisher keeps its values and completion when it is encoded and decoded as JSON`(
        with completion: Subscribers.Completion<Refusal>
    ) throws {
        let record = Record<Int, Refusal>(output: [1, 2], completion: completion)
        let copy = try JSONDecoder().decode(Record<Int, Refusal>.self, from: JSONEncoder().encode(record))
        #expect(copy.recording.output == [1, 2])
        #expect(copy.recording.completion == completion)
    }

    @Test func `Record.Recording.encode(into:) writes the same JSON as encode(to:)`() throws {
        struct Wrapper: Encodable {
            let recording: Record<Int, Refusal>.Recording
            func encode(to encoder: any Encoder) throws { try recording.encode(into: encoder) }
        }
        let recording = Record<Int, Refusal>.Recording(output: [1, 2], completion: .failure(Refusal()))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try encoder.encode(Wrapper(recording: recording)) == encoder.encode(recording))
    }

    @Test func `A Record.Recording that has a completion ends the process when it receives another value`() async {
        await #expect(processExitsWith: .failure) {
            var recording = Record<Int, Never>.Recording(output: [])
            recording.receive(1)
        }
    }
}
