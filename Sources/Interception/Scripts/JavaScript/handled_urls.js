// What is switched on, which requests a scheme handler answers, and the mark by which it knows that it can read them.

/// The mark of requests: a document of an opaque origin may have a URL of the host all the same, such as a sandboxed one.
const marked = self.origin === 'null' ? `${mark};opaque=1` : mark;

/// How many faults of its own a concern may have in a page; from then on everything is left to the natives.
const greatestFaults = 3;
const faults = {__proto__: null};
/// Whether a concern is switched on.
const isOn = concern => concerns[concern] === true && (faults[concern] ?? 0) < greatestFaults;

const urlProtocol = getter(URL.prototype, 'protocol');
const baseURI = getter(Node.prototype, 'baseURI');
const hrefOf = getter(URL.prototype, 'href');

/// `url`, a string, as an absolute one, if its scheme is one that native code handles; else `undefined`.
const handledURL = url => {
  let resolved, protocol;
  try {
    resolved = new URL(url, baseURI(document));
    protocol = urlProtocol(resolved);
  } catch {
    return undefined;
  }
  for (let index = 0; index < schemes.length; index += 1) if (schemes[index] === protocol) return hrefOf(resolved);
  return undefined;
};
const isHandled = url => handledURL(url) !== undefined;

const isBodiless = name => {
  const upper = upperCase(name);
  return upper === 'GET' || upper === 'HEAD';
};
