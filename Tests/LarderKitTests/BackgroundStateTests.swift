import Testing

@testable import LarderKit

@Suite("Whether an app may use a store that it shares")
struct BackgroundStateTests {
    enum Event: Sendable {
        case foreground, background, announced, begun, began, ended, outOfTime, suspend, resume, opened
    }

    /// What the system says, and whether the store may be used after each of it.
    @Test(
        "the store may be used in the foreground and during tasks, and no longer when time is up",
        arguments: [
            ([], true),
            ([.foreground], true), ([.background], false), ([.background, .foreground], true),
            // Launched, and nobody has told where the app is.
            ([.began], true), ([.began, .ended], true), ([.outOfTime], false), ([.began, .ended, .outOfTime], false),
            ([.began, .ended, .foreground], true), ([.began, .outOfTime], false), ([.outOfTime, .began], true),
            ([.outOfTime, .began, .ended], false), ([.outOfTime, .began, .ended, .foreground], true),
            ([.began, .ended, .background], false),
            // What the app says, also in an extension whose process is used again.
            ([.suspend], false), ([.suspend, .resume], true), ([.suspend, .began], true),
            ([.suspend, .began, .ended], false), ([.suspend, .began, .ended, .resume], true),
            ([.suspend, .began, .resume, .ended], true), ([.began, .suspend], false),
            ([.began, .suspend, .began], true),
            ([.foreground, .suspend], false), ([.suspend, .foreground], false),
            ([.suspend, .foreground, .resume], true),
            ([.suspend, .outOfTime, .resume], false), ([.background, .resume], false),
            ([.background, .suspend, .resume, .foreground], true),
            // Tasks in the background, also several.
            ([.background, .began], true), ([.background, .began, .ended], false),
            ([.background, .began, .began, .ended], true), ([.background, .began, .outOfTime], false),
            ([.background, .began, .outOfTime, .ended], false), ([.background, .began, .outOfTime, .foreground], true),
            ([.background, .outOfTime, .began], true),
            // One that is announced has no assertion yet, and none if time is up before it begins.
            ([.background, .announced], false), ([.background, .announced, .begun], true),
            ([.background, .announced, .outOfTime, .begun], false),
            ([.background, .announced, .outOfTime, .began], true),
            // A task that began in the foreground and goes on.
            ([.foreground, .began, .background], true), ([.foreground, .began, .background, .ended], false),
            // The system's word comes late: the app is back.
            ([.background, .foreground, .outOfTime], true), ([.foreground, .began, .ended], true),
            // A task that was told so has no time left in a later background, whatever begins and ends beside it.
            ([.background, .began, .outOfTime, .foreground, .background], false),
            ([.foreground, .began, .outOfTime, .background], false),
            ([.background, .began, .outOfTime, .began], true),
            ([.background, .began, .outOfTime, .began, .ended], false),
            // Opened late: the app was in the foreground when it was asked, unless the system has told since.
            ([.opened], true), ([.opened, .outOfTime], true), ([.outOfTime, .opened], true),
            ([.background, .opened], false), ([.opened, .background], false), ([.suspend, .opened], false),
            // More ends than beginnings change nothing.
            ([.background, .ended, .began], true),
        ] as [([Event], Bool)])
    func states(_ events: [Event], _ mayUse: Bool) {
        #expect(state(after: events).mayUseStore == mayUse)
    }

    @Test(
        "a store that no other process has is in use unless the app says otherwise",
        arguments: [
            ([], true), ([.background], true), ([.outOfTime], true), ([.began, .outOfTime], true),
            ([.background, .suspend], false), ([.suspend, .foreground], false), ([.suspend, .resume], true),
            ([.suspend, .began], true), ([.suspend, .began, .ended], false),
        ] as [([Event], Bool)])
    func ownStates(_ events: [Event], _ mayUse: Bool) {
        #expect(state(after: events, isAutomatic: false).mayUseStore == mayUse)
    }

    private func state(after events: [Event], isAutomatic: Bool = true) -> BackgroundState {
        var state = BackgroundState(isAutomatic: isAutomatic)
        var tasks: [Int] = []
        for event in events {
            switch event {
            case .foreground: state.enterForeground()
            case .background: state.enterBackground()
            case .announced: tasks.append(state.announceTask())
            case .begun: state.beginTask(tasks.last ?? 0)
            case .began:
                tasks.append(state.announceTask())
                state.beginTask(tasks.last ?? 0)
            case .ended: state.endTask(tasks.popLast() ?? 0)
            case .outOfTime: state.runOutOfTime(tasks.first)
            case .opened: _ = state.beginInForeground()
            case .suspend: state.suspend()
            case .resume: state.resume()
            }
        }
        return state
    }
}
