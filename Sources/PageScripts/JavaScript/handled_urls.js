// What is switched on, which requests a scheme handler answers, and the mark by which it knows that it can read them.

/// How many faults of its own a concern may have in a page; from then on everything is left to the natives.
const greatestFaults = 3;
const faults = {__proto__: null};
/// Whether a concern is switched on.
const isOn = concern => leftOut[concern] !== true && (faults[concern] ?? 0) < greatestFaults;

const urlProtocol = getter(URL.prototype, 'protocol');

/// `url`, a string, as an absolute one, if its scheme is one that native code handles; else `undefined`.
const handledURL = (url, base = document) => {
  let resolved, protocol;
  try {
    resolved = new URL(url, baseURI(base));
    protocol = urlProtocol(resolved);
  } catch {
    return undefined;
  }
  for (let index = 0; index < schemes.length; index += 1) if (schemes[index] === protocol) return urlHref(resolved);
  return undefined;
};
const isHandled = url => handledURL(url) !== undefined;

const {origin} = self, urlHost = getter(URL.prototype, 'host');
/// Whether a request to an absolute URL says that it goes to the page's own origin: at https the web view does. The field proves
/// nothing by itself; the web view lets no other request have it without `Origin`.
const provesOwn = url => {
  const parsed = new URL(url), protocol = urlProtocol(parsed);
  return protocol !== 'https:' && `${protocol}//${urlHost(parsed)}` === origin;
};

const isBodiless = name => {
  const upper = upperCase(name);
  return upper === 'GET' || upper === 'HEAD';
};
