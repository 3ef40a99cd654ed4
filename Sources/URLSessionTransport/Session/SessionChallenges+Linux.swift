#if !canImport(Network)
/// The app's answers to challenges: on Linux nobody is asked.
struct SessionChallenges: Sendable {}
#endif
