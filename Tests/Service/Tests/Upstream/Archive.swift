/// The keys that the archive has seen.
actor Archive {
    private var keys: Set<String> = []

    /// Whether the key has been seen before. From now on, it has.
    func isKnown(_ key: String) -> Bool { !keys.insert(key).inserted }
}
