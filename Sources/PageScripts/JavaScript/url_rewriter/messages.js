// Messages to the page's own https origin, which to the engine is another one than the page's: they go to the page's own, in a
// list that says so, and arrive as the page sent them, from the origin that it named.

const messageData = getter(MessageEvent.prototype, 'data'), messageOrigin = getter(MessageEvent.prototype, 'origin');
const wrapping = `${signal};message`, pageOrigin = plainPrefix + ownOrigin;
/// The windows of senders, by number; of the latest messages only.
const senders = {__proto__: null};
const mostSenders = 1_024, mostWindows = 64;
let sent = 0;

/// Whether a window is at work: the engine sees only that a function of this window's sends. `undefined` for another origin's.
const isAtWork = window => {
  try {
    return window.event !== undefined || window.document.currentScript !== null;
  } catch {
    return undefined;
  }
};
const windowsBelow = (window, found) => {
  append(found, window);
  for (let index = 0; index < window.length && found.length < mostWindows; index += 1) windowsBelow(window[index], found);
  return found;
};
/// Whose message it is: of the window at work, else of the one that this one is nearest to.
const sender = () => {
  const windows = windowsBelow(top, []);
  let nearest = page, count = 0;
  for (let index = 0; index < windows.length; index += 1) {
    const window = windows[index], isBusy = window === page ? false : isAtWork(window);
    if (isBusy) return window;
    if (isBusy === undefined || window === page || isAtWork(page)) continue;
    if (window === parent) return window;
    if (window.parent === page) {
      nearest = window;
      count += 1;
    }
  }
  return count === 1 ? nearest : page;
};

replace(self, 'postMessage', (native, receiver, values) => {
  const second = argument(values, 1), isText = typeof second === 'string';
  if (ownOrigin === '' || values.length < 2 || !isText && (typeof second !== 'object' || second === null)) {
    return apply(native, receiver, values);
  }
  const target = isText ? second : second.targetOrigin;
  if (typeof target !== 'string' || atPageScheme(target) === target) return apply(native, receiver, values);
  sent += 1;
  senders[sent] = sender();
  delete senders[sent - mostSenders];
  const transfer = (isText ? argument(values, 2) : second.transfer) ?? [];
  return apply(native, receiver, [[wrapping, sent, values[0]], pageOrigin, transfer]);
});

const isWrapped = (event, data) => isArray(data) && data.length === 3 && data[0] === wrapping
  && messageOrigin(event) === pageOrigin;
const readMessage = read => (native, receiver, values) => {
  const value = apply(native, receiver, values), data = messageData(receiver);
  return isWrapped(receiver, data) ? read(value, data) : value;
};
replaceAccessor(MessageEvent.prototype, 'origin', readMessage(() => ownOrigin));
replaceAccessor(MessageEvent.prototype, 'source', readMessage((value, data) => senders[data[1]] ?? value));
replaceAccessor(MessageEvent.prototype, 'data', readMessage((value, data) => data[2]));
