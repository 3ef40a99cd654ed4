// Which requests a scheme handler answers, and the mark by which it knows that it can read them.

const urlProtocol = getter(URL.prototype, 'protocol');
const baseURI = getter(Node.prototype, 'baseURI');

/// Whether `url`, a string, is of a scheme that native code handles.
const isHandled = url => {
  let protocol;
  try {
    protocol = urlProtocol(new URL(url, baseURI(document)));
  } catch {
    return false;
  }
  for (let index = 0; index < schemes.length; index += 1) if (schemes[index] === protocol) return true;
  return false;
};

const isBodiless = name => {
  const upper = upperCase(name);
  return upper === 'GET' || upper === 'HEAD';
};
