import Testing

@Suite struct ReplicaTests {}
