// Cookies: who sees them, and with which requests they go. Each probe has a name of its own.
section = 'Cookies';
const sent = async (name, url = '/cookies') => {
  const pair = (await text(url, {credentials: 'include'})).split('; ').find(pair => pair.startsWith(`${name}=`));
  return pair ? `sent ${pair.slice(name.length + 1)}` : 'not sent';
};
// The page and the network process tell each other of cookies soon, and not at once. So a probe looks once more after each
// request to the origin, until it sees what it looks for, or never will. Where nothing is to be seen, a few looks are enough:
// on a busy machine fifty requests take a minute.
const eventually = async (test, looks = 50) => {
  for (let count = 0; count < looks; count++) {
    if (await test()) return true;
    await text('/cookies');
  }
  return false;
};
const has = name => document.cookie.split('; ').some(pair => pair.startsWith(`${name}=`));
const seen = async (name, looks) => await eventually(() => has(name), looks) ? 'seen' : 'not seen';
const setByScript = async name => {
  document.cookie = `${name}=1; path=/`;
  await eventually(async () => await sent(name) !== 'not sent');
};
const set = cookie => `set=${encodeURIComponent(cookie)}`;
kind('document.cookie', 'seen, sent 1', async () => {
  await setByScript('script');
  return `${await seen('script')}, ${await sent('script')}`;
});
kind('Set-Cookie of fetch', 'seen, sent 1', async () => {
  await text(`/text?cache=no-store&${set('fetched=1; Path=/')}`);
  return `${await seen('fetched')}, ${await sent('fetched')}`;
});
kind('Set-Cookie of an img', 'seen, sent 1', async () => {
  await element('img', {src: `/image.png?cache=no-store&${set('image=1; Path=/')}`});
  return `${await seen('image')}, ${await sent('image')}`;
});
kind('Set-Cookie, HttpOnly', 'not seen, sent 1', async () => {
  await text(`/text?cache=no-store&${set('hidden=1; Path=/; HttpOnly')}`);
  return `${await seen('hidden', 5)}, ${await sent('hidden')}`;
});
kind('Set-Cookie, removed again', 'not seen, not sent', async () => {
  await text(`/text?cache=no-store&${set('gone=1; Path=/')}`);
  await text(`/text?cache=no-store&${set('gone=1; Path=/; Max-Age=0')}`);
  const isGone = await eventually(() => !has('gone'));
  return `${isGone ? 'not seen' : 'seen'}, ${await sent('gone')}`;
});
kind('Set-Cookie, removed with an empty value', 'not seen, not sent', async () => {
  await text(`/text?cache=no-store&${set('left=1; Path=/')}`);
  await text(`/text?cache=no-store&${set('left=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT')}`);
  const isGone = await eventually(() => !has('left'));
  return `${isGone ? 'not seen' : 'seen'}, ${await sent('left')}`;
});
kind('Set-Cookie, another path', 'not seen, not sent', async () => {
  await text(`/text?cache=no-store&${set('elsewhere=1; Path=/other')}`);
  return `${await seen('elsewhere', 5)}, ${await sent('elsewhere')}`;
});
kind('Set-Cookie, another domain', 'not seen, not sent', async () => {
  await text(`/text?cache=no-store&${set('foreign=1; Path=/; Domain=example.net')}`);
  return `${await seen('foreign', 5)}, ${await sent('foreign')}`;
});
kind('Set-Cookie of a redirect', 'sent 1', async () => {
  const cookies = await text(`/redirect?${set('hop=1; Path=/')}&to=/cookies`);
  return cookies.split('; ').includes('hop=1') ? 'sent 1' : 'not sent';
});
kind('Set-Cookie of a frame', 'seen, sent 1', async () => {
  await inFrame(`/frame.html?cache=no-store&${set('framed=1; Path=/')}`);
  return `${await seen('framed')}, ${await sent('framed')}`;
});
kind('SameSite, own requests', 'Strict: sent 1, Lax: sent 1, None: sent 1', async () => {
  const results = [];
  for (const policy of ['Strict', 'Lax', 'None']) {
    await text(`/text?cache=no-store&${set(`own${policy}=1; Path=/; Secure; SameSite=${policy}`)}`);
    results.push(`${policy}: ${await sent(`own${policy}`)}`);
  }
  return results.join(', ');
});
kind('SameSite, requests of another site’s frame', 'Strict: sent, Lax: sent, None: sent', async () => {
  for (const policy of ['Strict', 'Lax', 'None']) {
    await text(`/text?cache=no-store&${set(`from${policy}=1; Path=/; Secure; SameSite=${policy}`)}`);
  }
  const cookies = (await inFrame(`${cdn}/cookie-frame.html`)).split('; ');
  return ['Strict', 'Lax', 'None'].map(policy => `${policy}: ${cookies.includes(`from${policy}=1`) ? 'sent' : 'not sent'}`).join(', ');
});
kind('cookies of another site', 'not sent', async () => {
  await text(`${cdn}/text?cache=no-store&allow=credentials&${set('third=1; Path=/; Secure; SameSite=None')}`, {credentials: 'include'});
  return sent('third', `${cdn}/cookies?allow=credentials`);
});
const shared = name => text(`/text?cache=no-store&${set(`${name}=1; Path=/; Domain=example.com`)}`);
kind('cookies to a sibling host, credentials: include', 'sent 1', async () => {
  await shared('included');
  return sent('included', `${sibling}/cookies?allow=credentials`);
});
kind('cookies to a sibling host, default credentials', 'not sent', async () => {
  await shared('unasked');
  return (await text(`${sibling}/cookies?allow=credentials&default`)).includes('unasked=1') ? 'sent' : 'not sent';
});
kind('cookies to a sibling host, XHR withCredentials', 'sent', async () => {
  await shared('requested');
  const {responseText} = await xhr('GET', `${sibling}/cookies?allow=credentials`, {prepare: request => { request.withCredentials = true; }});
  return responseText.includes('requested=1') ? 'sent' : 'not sent';
});
kind('cookies to a sibling host, img', 'sent', async () => {
  const id = unique();
  await shared('pictured');
  await element('img', {src: `${sibling}/image.png?cache=no-store&id=${id}`});
  return (await asked(id))[0]?.fields.cookie?.includes('pictured=1') ? 'sent' : 'not sent';
});
kind('Set-Cookie of a sibling host', 'sent 1', async () => {
  await text(`${sibling}/text?cache=no-store&allow=credentials&${set('sibling=1; Path=/; Secure; SameSite=None')}`, {credentials: 'include'});
  return sent('sibling', `${sibling}/cookies?allow=credentials`);
});
kind('cookies of another site’s frame, for itself', 'not sent', () => inFrame(`${cdn}/own-cookie-frame.html`));
kind('fetch, credentials: omit', 'not sent', async () => {
  await setByScript('omitted');
  const cookies = await text('/cookies', {credentials: 'omit'});
  return cookies.includes('omitted') ? 'sent' : 'not sent';
});
kind('cookies of an img request', 'sent', async () => {
  const id = unique();
  await setByScript('shown');
  await element('img', {src: `/image.png?cache=no-store&id=${id}`});
  return (await asked(id))[0]?.fields.cookie?.includes('shown=1') ? 'sent' : 'not sent';
});
kind('cookies of an EventSource', 'sent', async () => {
  const id = unique();
  await text(`/text?cache=no-store&${set('streamed=1; Path=/; Secure')}`);
  const source = new EventSource(`/events?id=${id}#own`);
  await event(source, 'message');
  source.close();
  return (await asked(id))[0]?.fields.cookie?.includes('streamed=1') && source.url.endsWith('#own') ? 'sent' : 'not sent';
});
kind('worker, fetch without credentials', 'not sent', async () => {
  await setByScript('omitted');
  const options = {credentials: 'omit'};
  const cookies = await answered(new Worker('/worker.js'), {url: `${site}/cookies`, options});
  return cookies.includes('omitted=1') ? 'sent' : 'not sent';
});
kind('cookies of a worker’s fetch', 'sent', async () => {
  await setByScript('worked');
  const cookies = await answered(new Worker('/worker.js'), {url: `${site}/cookies`});
  return cookies.includes('worked=1') ? 'sent' : 'not sent';
});
