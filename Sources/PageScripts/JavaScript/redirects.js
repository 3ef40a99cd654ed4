// Where redirects led that native code has followed: it says so before a response's status text, in reply to requests that
// are marked. `Response` and `XMLHttpRequest` tell it as after redirects of the web view's own.

const endOfURL = ' =';

/// - text: Of a status, as native code gave it.
///
/// Returns the address that a redirect led to, and the text that the server gave; `undefined` without a redirect.
const redirectIn = text => {
  if (slice(text, 0, moved.length) !== moved) return undefined;
  const end = indexOf(text, endOfURL);
  return end < 0 ? undefined
    : {__proto__: null, url: slice(text, moved.length + 1, end), text: slice(text, end + endOfURL.length)};
};

const showRedirects = (prototype, urlName, redirectedName) => {
  const statusText = getter(prototype, 'statusText');
  replaceAccessor(prototype, 'statusText', (native, receiver, values) => {
    const text = apply(native, receiver, values), redirect = redirectIn(text);
    return redirect ? redirect.text : text;
  });
  replaceAccessor(prototype, urlName, (native, receiver, values) => {
    const url = apply(native, receiver, values), redirect = url !== '' && redirectIn(statusText(receiver));
    return redirect ? redirect.url : url;
  });
  if (!redirectedName) return;
  replaceAccessor(prototype, redirectedName, (native, receiver, values) =>
    apply(native, receiver, values) || redirectIn(statusText(receiver)) !== undefined);
};
showRedirects(Response.prototype, 'url', 'redirected');
showRedirects(XMLHttpRequest.prototype, 'responseURL', undefined);
