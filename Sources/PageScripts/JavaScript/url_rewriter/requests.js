// What scripts ask for themselves. Not here: beacons, and where the page goes.

const turnAddress = values => {
  if (values.length > 0 && !isRequest(values[0])) turnArgument(values, 0, turnedRequest);
};
const shownResult = (native, receiver, values) => shownRequest(apply(native, receiver, values));

replace(self, 'fetch', (native, receiver, values) => {
  try {
    turnAddress(values);
  } catch (error) {
    return rejected(error);
  }
  return apply(native, receiver, values);
});
const turnConstructor = name => replaceConstructor(self, name, constructing(turnAddress));
turnConstructor('Request');
replaceAccessor(Request.prototype, 'url', shownResult);
replaceAccessor(Response.prototype, 'url', shownResult);

replace(XMLHttpRequest.prototype, 'open', (native, receiver, values) => {
  if (values.length > 1 && mayTurn(values[1]) && isXHR(receiver)) {
    values[0] = `${values[0]}`;
    turnArgument(values, 1, turnedRequest);
  }
  return apply(native, receiver, values);
});
replaceAccessor(XMLHttpRequest.prototype, 'responseURL', shownResult);

turnConstructor('EventSource');
if (self.EventSource) replaceAccessor(EventSource.prototype, 'url', shownResult);
// A worker of the page's own origin, which the engine would refuse otherwise.
turnConstructor('Worker');

// A socket goes to the host itself. Its address may be relative or the page's own (WebSockets §3: `https:` is `wss:`), and no
// socket takes the app's scheme.
replaceConstructor(self, 'WebSocket', (native, values, target) => {
  if (typeof values[0] === 'string' || isURL(values[0])) {
    try {
      const href = urlHref(construct(URL, [values[0], baseURI(document)]));
      if (startsWith(href, `${plainPrefix}https://`)) values[0] = `wss${slice(href, `${plainPrefix}https`.length)}`;
    } catch {
      // The native says what is wrong with it.
    }
  }
  return construct(native, values, target);
});

// Libraries tell by these whether an address is the page's own: htmx asks for no other, jQuery, AngularJS and axios send
// tokens to no other. Addresses that a page resolves against its own address are at the page's own scheme.
const isConnected = getter(Node.prototype, 'isConnected'), pageBase = `${plainPrefix}${ownOrigin}`;
replaceConstructor(self, 'URL', (native, values, target) => {
  if (ownOrigin !== '' && values.length > 1 && mayTurn(values[0]) && values[1] !== undefined) {
    values[0] = `${values[0]}`;
    values[1] = `${values[1]}`;
    if (startsWith(values[1], pageBase)) turnArgument(values, 0, turnedFrame);
  }
  return construct(native, values, target);
});
const linkOrigin = getter(HTMLAnchorElement.prototype, 'origin');
const readOfDetached = name => (native, receiver, values) => {
  const value = apply(native, receiver, values);
  return ownOrigin !== '' && linkOrigin(receiver) === ownOrigin && !isConnected(receiver) ? name : value;
};
replaceAccessor(HTMLAnchorElement.prototype, 'protocol', readOfDetached(`${plainPrefix}https:`));
replaceAccessor(HTMLAnchorElement.prototype, 'origin', readOfDetached(pageBase));
