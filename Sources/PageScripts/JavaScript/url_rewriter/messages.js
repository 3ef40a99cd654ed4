// Messages to the page's own https origin, which to the engine is another one than the page's: they go to the page's own, in a
// list that says so, and arrive as the page sent them, from the origin that it named. All others of another window go in such
// a list too, as it knows the sender.

const messageData = getter(MessageEvent.prototype, 'data'), messageOrigin = getter(MessageEvent.prototype, 'origin');
const wrapping = `${signal};message`, pageOrigin = plainPrefix + ownOrigin;
/// The windows of senders, by number; of the latest messages only, and not longer than something else needs them.
const senders = {__proto__: null};
const {WeakRef} = self, deref = method(WeakRef.prototype, 'deref');
const mostSenders = 1_024, mostWindows = 64;
let sent = 0;
/// The getter of what a page may have a variable of that name for, in each window.
const windowGetter = name => getOwnPropertyDescriptor(page, name)?.get ? getter(page, name) : window => window[name];
const framesOf = windowGetter('length'), eventOf = windowGetter('event'), parentOfWindow = windowGetter('parent');
const scriptOf = getter(Document.prototype, 'currentScript');

/// Whether a window is at work: the engine sees only that a function of this window's sends. `undefined` for another origin's.
const isAtWork = window => {
  try {
    return eventOf(window) !== undefined || scriptOf(window.document) !== null;
  } catch {
    return undefined;
  }
};
const windowsBelow = (window, found) => {
  append(found, window);
  for (let index = 0, count = framesOf(window); index < count && found.length < mostWindows; index += 1) {
    windowsBelow(window[index], found);
  }
  return found;
};
/// Where the chain of an object's prototypes ends: in the window whose script has made it.
const rootOf = object => {
  let root = object;
  for (let link = object; link; link = getPrototypeOf(link)) root = link;
  return root;
};
const isRootOf = (window, root) => {
  try {
    return window.Object.prototype === root;
  } catch {
    return false;
  }
};
/// Whose message it is: of the window that has made it, or is at work, else, where `isGuessed`, of the one that this one is
/// nearest to, else the page's.
const sender = (message, isGuessed) => {
  if (page === top && framesOf(page) === 0) return page;
  const windows = windowsBelow(top, []), root = typeof message === 'object' ? rootOf(message) : null;
  for (let index = 0; root !== null && index < windows.length; index += 1) {
    if (isRootOf(windows[index], root)) return windows[index];
  }
  let nearest = page, count = 0;
  for (let index = 0; index < windows.length; index += 1) {
    const window = windows[index], isBusy = window === page ? false : isAtWork(window);
    if (isBusy) return window;
    if (!isGuessed || isBusy === undefined || window === page || isAtWork(page)) continue;
    if (window === parentOfWindow(page)) return window;
    if (parentOfWindow(window) === page) {
      nearest = window;
      count += 1;
    }
  }
  return count === 1 ? nearest : page;
};

replace(self, 'postMessage', (native, receiver, values) => {
  const second = argument(values, 1), isText = typeof second === 'string';
  const target = isText ? second : second?.targetOrigin;
  const isToOwn = ownOrigin !== '' && typeof target === 'string' && atPageScheme(target) !== target;
  // The engine takes this function's window for the sender. A page that sends to itself, as timers of libraries do, tells its
  // own messages by their source: it is another window's only where that is seen to be at work.
  let from = page;
  try {
    if (ownOrigin !== '' && values.length > 0) from = sender(values[0], isToOwn);
  } catch {
    // A message that refuses to be looked at, as a Proxy may: the native sees to it.
  }
  if (!isToOwn && from === page) return apply(native, receiver, values);
  sent += 1;
  senders[sent] = new WeakRef(from);
  delete senders[sent - mostSenders];
  const transfer = (isText ? argument(values, 2) : second?.transfer) ?? [];
  const wrapped = [wrapping, sent, values[0], isToOwn];
  return apply(native, receiver, [wrapped, isToOwn ? pageOrigin : target ?? '/', transfer]);
});

const isWrapped = (event, data) => isArray(data) && data.length === 4 && data[0] === wrapping
  && messageOrigin(event) === pageOrigin;
const readMessage = read => (native, receiver, values) => {
  const value = apply(native, receiver, values), data = messageData(receiver);
  return isWrapped(receiver, data) ? read(value, data) : value;
};
replaceAccessor(MessageEvent.prototype, 'origin', readMessage((value, data) => (data[3] ? ownOrigin : value)));
replaceAccessor(MessageEvent.prototype, 'source', readMessage((value, data) => {
  const known = senders[data[1]];
  return known && deref(known) || value;
}));
replaceAccessor(MessageEvent.prototype, 'data', readMessage((value, data) => data[2]));
