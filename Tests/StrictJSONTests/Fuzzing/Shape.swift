import Foundation
import StrictJSON

/// A model with its settings and documents that it can be read from.
struct Shape: Sendable {
    let name: String
    let seeds: [[UInt8]]
    /// Decodes a document with both, and notes what came of it.
    let compare: @Sendable ([UInt8], inout Tally) -> Void

    /// A model with settings, of whose values what `view` gives is compared.
    init<Model: Decodable & SendableMetatype, View: Equatable & SendableMetatype>(
        _ name: String,
        _ type: Model.Type,
        _ seeds: String...,
        hasDictionary: Bool = false,
        set: (JSONDecoder) -> Void = { _ in },
        view: @escaping @Sendable (Model) -> View
    ) {
        self.init(name, type, seeds, hasDictionary, set, view)
    }

    /// As the other, for models that are compared themselves.
    init<Model: Decodable & Equatable & SendableMetatype>(
        _ name: String,
        _ type: Model.Type,
        _ seeds: String...,
        hasDictionary: Bool = false,
        set: (JSONDecoder) -> Void = { _ in }
    ) {
        self.init(name, type, seeds, hasDictionary, set) { $0 }
    }

    private init<Model: Decodable & SendableMetatype, View: Equatable & SendableMetatype>(
        _ name: String,
        _ type: Model.Type,
        _ seeds: [String],
        _ hasDictionary: Bool,
        _ set: (JSONDecoder) -> Void,
        _ view: @escaping @Sendable (Model) -> View
    ) {
        self.name = name
        self.seeds = seeds.map { Array($0.utf8) }
        let foundation = JSONDecoder()
        set(foundation)
        let strict = StrictJSONDecoder(settingsOf: foundation) ?? StrictJSONDecoder()
        compare = { document, tally in
            let data = Data(document)
            let ours = Outcome { view(try strict.decode(type, from: data)) }
            let theirs = Outcome { view(try foundation.decode(type, from: data)) }
            let rule = Rule(document, ours: ours, theirs: theirs, hasDictionary: hasDictionary)
            tally.add(rule, "\(name): \(String(decoding: document, as: UTF8.self))\n  ours \(ours)\n  theirs \(theirs)")
        }
    }
}
