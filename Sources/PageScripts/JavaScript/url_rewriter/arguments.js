// Arguments of functions that stand in for natives, and what scripts ask for.

// MARK: What scripts ask for

const isURL = isOf(urlHref);
const setAdd = method(Set.prototype, 'add'), setHas = method(Set.prototype, 'has');
/// Resolved addresses that were turned for `fetch` and the like, as the engine shows them.
const asked = new Set();
const mostAsked = 10_000;
let countOfAsked = 0;

const withoutFragment = url => {
  const end = indexOf(url, '#');
  return end < 0 ? url : slice(url, 0, end);
};
/// An address that a script asks for.
const turnedRequest = text => {
  const result = turned(text);
  if (result !== text && countOfAsked < mostAsked) {
    setAdd(asked, withoutFragment(urlHref(new URL(result))));
    countOfAsked += 1;
  }
  return result;
};
/// What the engine says of the address of an answer, for the page.
const shownRequest = url => {
  if (countOfAsked === 0 || typeof url !== 'string' || !startsWith(url, plainPrefix)) return url;
  return setHas(asked, withoutFragment(url)) ? unturnedURL(url) : url;
};

/// An address of the page's own https origin, however it is written, at the page's own scheme; others as they are.
const originOf = getter(URL.prototype, 'origin');
const atPageScheme = text => {
  if (ownOrigin === '' || indexOf(text, ':') < 0) return text;
  try {
    const url = construct(URL, [text]);
    return originOf(url) === ownOrigin ? plainPrefix + urlHref(url) : text;
  } catch {
    return text;
  }
};

// MARK: Arguments

const isTrusted = (() => {
  const kinds = [];
  for (const name of ['TrustedHTML', 'TrustedScriptURL', 'TrustedScript']) {
    const kind = self[name];
    if (typeof kind === 'function') append(kinds, isOf(method(kind.prototype, 'toString')));
  }
  return value => {
    for (let index = 0; index < kinds.length; index += 1) if (kinds[index](value)) return true;
    return false;
  };
})();

/// Whether an argument may have to be turned: the others, nearly all, take the shortest way.
const mayTurn = value => typeof value === 'string' ? indexOf(value, 'https://') >= 0
  : typeof value === 'object' && value !== null;

/// Turns the argument at a place, which is converted once. What is no text, and what a policy of Trusted Types made, is
/// the native's.
const turnArgument = (values, index, turn) => {
  if (values.length <= index) return;
  let value = values[index];
  if (typeof value === 'object' && value !== null && !isTrusted(value)) {
    value = `${value}`;
    values[index] = value;
  }
  if (typeof value === 'string') values[index] = safely(turn, value);
};
/// The same of an argument that has to be text already, as an object may be of another kind.
const turnText = (values, index, turn) => {
  if (values.length > index && typeof values[index] === 'string') values[index] = safely(turn, values[index]);
};
/// What stands in for a native that gets a text at a place.
const turningText = (index, turn) => (native, receiver, values) => {
  turnText(values, index, turn);
  return apply(native, receiver, values);
};
/// The same for a constructor.
const constructing = turnAll => (native, values, target) => {
  turnAll(values);
  return construct(native, values, target);
};

/// Whether a concern is not left out on this page.
const isOn = name => leftOut[name] !== true;
