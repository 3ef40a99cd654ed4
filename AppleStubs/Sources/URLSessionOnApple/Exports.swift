// The stand-in for Apple's Foundation, seen in every file of this module as Foundation is on Apple's platforms.
@_exported import AppleFoundation
