/// The last round that a writer has finished, for readers in other tasks.
actor WrittenRound {
    private(set) var value = 0

    func finish(_ round: Int) {
        value = round
    }
}
