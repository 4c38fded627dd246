/// Where a list of pages was asked for: the scope and the task locals that hold for all of them.
struct PageOrigin {
    private let scope = CallScope.current
    private let context = CallerContext()

    /// Runs `body` there, for a page of a request object: `nil` for the first one.
    func run<Value>(for page: NextPage?, of object: APIBase, _ body: () -> Value) -> Value {
        context.run {
            PageTarget.$current.withValue(page.map { PageTarget($0, of: object) }) {
                guard let scope else { return body() }
                return scope.run(body)
            }
        }
    }
}
