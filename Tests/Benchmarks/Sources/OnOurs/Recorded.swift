func recorded(_ values: [Int], _ end: Subscribers.Completion<any Error>) -> Record<Int, any Error> {
    Record(output: values, completion: end)
}
