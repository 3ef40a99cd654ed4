// Servers that ask for a password; loaded into the page of all kinds of loads by PasswordTests.swift.
// Each folder below /protected/ has a realm of its own, and lets in user "u" with password "p".
kinds.length = 0;
// No name is the beginning of another one: libsoup takes those for one folder.
const folder = () => `/protected/${unique()}-`;
const withLogin = (url, user = 'u', password = 'p') => url.replace('://', `://${user}:${password}@`);
const signIn = (url, user = 'u', password = 'p', {isAsync = true, method = 'GET', body = null, prepare = () => {}} = {}) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url, isAsync, user, password);
    prepare(request);
    request.onerror = () => reject(new DOMException('', 'error'));
    request.onload = () => resolve(request);
    request.send(body);
  });
const outcome = ({status, responseText}) => `${status} ${responseText}`;
kind('XHR with user and password', '200 some text', async () => outcome(await signIn(`${folder()}/text`)));
kind('XHR with user and password, synchronous', '200 some text', async () => outcome(await signIn(`${folder()}/text`, 'u', 'p', {isAsync: false})));
kind('XHR with a wrong password', '401 no entry', async () => outcome(await signIn(`${folder()}/text`, 'u', 'wrong')));
kind('XHR with user and password in its URL', '200 some text',
  async () => outcome(await xhr('GET', withLogin(`${site}${folder()}/text`))));
kind('XHR with user and password, POST', 'POST text/plain;charset=UTF-8 hello', async () =>
  upload(JSON.parse((await signIn(`${folder()}/echo`, 'u', 'p', {method: 'POST', body: 'hello'})).responseText)));
kind('XHR with user and password, POST of a Blob', 'POST text/x in a blob', async () =>
  upload(JSON.parse((await signIn(`${folder()}/echo`, 'u', 'p', {method: 'POST', body: new Blob(['in a blob'], {type: 'text/x'})})).responseText)));
kind('XHR with user and password: how often the server is asked, and its address', 'nothing, then a name, https://example.com', async () => {
  const id = unique(), request = await signIn(`${folder()}/text?id=${id}`);
  const names = (await asked(id)).map(({fields}) => fields.authorization ? 'a name' : 'nothing').join(', then ');
  return `${names}, ${request.responseURL.replace(/\/protected.*/, '')}`;
});
kind('XHR with user and password, other origin', '401', async () => {
  const request = await signIn(`${cdn}${folder()}/text?allow=credentials`, 'u', 'p', {prepare: made => { made.withCredentials = true; }});
  return String(request.status);
});
kind('what a page sees of a password', 'no password', async () => {
  const place = folder(), request = await signIn(`${place}/text`);
  const answer = await fetch(`${place}/text`);
  const seen = [request.getAllResponseHeaders(), request.responseURL, request.statusText, answer.url, ...answer.headers].join();
  return /dTpw|u:p/.test(seen) ? seen : 'no password';
});
const signedIn = async () => {
  const place = folder();
  await signIn(`${place}/text`);
  return place;
};
kind('fetch, signed in', '200 some text', async () => {
  const answer = await fetch(`${await signedIn()}/below/text`);
  return `${answer.status} ${await answer.text()}`;
});
kind('fetch of another folder', '401', async () => String((await fetch(`${folder()}/text`, await signedIn() && {})).status));
kind('fetch, signed in: credentials omit', '401', async () => String((await fetch(`${await signedIn()}/text`, {credentials: 'omit'})).status));
// WebKit's own network tries the password that it knows in place of the page's; Larder does not.
kind('fetch, signed in: its own Authorization', '200',
  async () => String((await fetch(`${await signedIn()}/text`, {headers: {Authorization: 'Basic bm9ib2R5Om5v'}})).status));
kind('img, signed in', 'loaded', async () => element('img', {src: `${await signedIn()}/image.png?cache=no-store`}));
kind('img, not signed in', 'error', () => element('img', {src: `${folder()}/image.png?cache=no-store`}));
kind('img with user and password in its URL', 'loaded',
  () => element('img', {src: withLogin(`${site}${folder()}/image.png?cache=no-store`)}));
kind('img, not signed in, other origin', 'error', () => element('img', {src: `${cdn}${folder()}/image.png?cache=no-store`}));
const frameText = async url => {
  const id = unique();
  return upload(await frame({src: `${url}/form?id=${id}`}, id));
};
kind('iframe, signed in', 'GET - id=', async () => (await frameText(await signedIn())).replace(/id=.*/, 'id='));
kind('iframe with user and password in its URL', 'GET - id=', async () => (await frameText(withLogin(`${site}${folder()}`))).replace(/id=.*/, 'id='));
kind('worker, signed in', 'some text', async () => answered(new Worker('/worker.js'), {url: `${site}${await signedIn()}/text`}));
