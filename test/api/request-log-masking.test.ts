import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoApp } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { serviceForFile } from '../support/service/service.ts'
import { basic, getRest, obtainTokens } from '../support/sign-in.ts'

type Message = { Headers: { Name: string; Value: string }[]; Body?: string; IsCut: boolean }
type Exchange = { Path: string; Request: Message; Response: Message }

const service = await serviceForFile()
const { db } = service.node.context
await db.updateTable('service_user').set({ is_operator: true }).where('name', '=', 'ada').execute()
const { access_token: ada } = await obtainTokens(service.url)

/** Without the shape of a token, so that only its name or its place can hide it. */
const secret = 'hunter2-zebra'
const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const r = '[redacted]'
const guid = 'a666c58e-5707-0c51-64a2-e9dd7df119b2'
const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJZT2pIcHYifQ.c2ln'

const readEntry = (id: string) =>
  eventually(async () => {
    const found = await getRest(service.baseUrl, `/x/v1/requests/${encodeURIComponent(id)}`, ada)
    return found.ok ? ((await found.json()) as Exchange) : undefined
  })

const explain = async (id: string) =>
  (await getRest(service.baseUrl, `/x/v1/explain?${new URLSearchParams({ Correlation: id })}`, ada)).text()

async function send(url: string, body: string, type: string, authorization: string): Promise<string> {
  const headers = { authorization, 'content-type': type }
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.headers.get('x-correlation') ?? assert.fail()
}

const app = (more: string) => `{"Name":"Log",${more}}`
const nested = (depth: number, inner: string) => `${'{"Data":'.repeat(depth)}${inner}${'}'.repeat(depth)}`

/** The trait of a body, the body, and the text that the log shows. */
const bodies: [trait: string, path: string, type: string, body: string, shown: string | RegExp][] = [
  [
    'names without quotes',
    '/token',
    json,
    `{client_id:${demoApp.AppKey},client_secret:${secret}}`,
    /^\[redacted\] \d+ bytes of application\/json$/,
  ],
  ['single quotes', '/token', json, `{'client_secret':'${secret}'}`, `${r} 33 bytes of ${json}`],
  ['a bare token', '/token', json, jwt, `${r} ${jwt.length} bytes of ${json}`],
  ['an assignment', '/token', json, `token=${guid} ${secret}`, `${r} 56 bytes of ${json}`],
  ['another media type', '/token', 'text/plain', `refresh_token=${secret}`, `${r} 27 bytes of text/plain`],
  ['a media type that is a secret', '/token', `text/${secret}`, 'a', `${r} 1 byte of another type`],
  [
    'a multipart form',
    '/token',
    'multipart/form-data; boundary=x',
    `--x\r\nContent-Disposition: form-data; name="code"\r\n\r\n${secret}\r\n--x--`,
    /^\[redacted\] \d+ bytes of multipart\/form-data$/,
  ],
  ['a grant type that is a secret', '/token', form, `grant_type=${secret}&code=${secret}`, `grant_type=${r}&code=${r}`],
  [
    'a form with unknown names',
    '/token',
    form,
    `grant_type=authorization_code&${secret}=1&${secret}&x=${secret}`,
    `grant_type=authorization_code&${r}&${r}&${r}`,
  ],
  [
    'a form with an address that is none',
    '/token',
    form,
    `redirect_uri=${secret}&resource=${secret}`,
    `redirect_uri=${r}&resource=${r}`,
  ],
  [
    'a form with id and secret exchanged',
    '/token',
    form,
    `client_id=fedcba9876543210fedcba9876543210&client_secret=${demoApp.AppKey}`,
    `client_id=${r}&client_secret=${r}`,
  ],
  [
    'a form with its app',
    '/token',
    form,
    `client_id=${demoApp.AppKey}&grant_type=refresh_token`,
    `client_id=${demoApp.AppKey}&grant_type=refresh_token`,
  ],
  [
    'JSON that is a form elsewhere',
    '/token',
    json,
    `{"grant_type":"${secret}","client_id":"fedcba9876543210fedcba9876543210"}`,
    `{"grant_type":"${r}","client_id":"${r}"}`,
  ],
  [
    'a token to revoke',
    '/revoke',
    form,
    `token=${secret}&token_type_hint=${secret}`,
    `token=${r}&token_type_hint=${r}`,
  ],
  [
    'a token to introspect',
    '/introspect',
    form,
    `token=${secret}&token_type_hint=access_token`,
    `token=${r}&token_type_hint=access_token`,
  ],
  [
    'a documented body',
    '/developer/apps',
    json,
    app('"Description":"Of a test.","Flow":"None"'),
    app('"Description":"Of a test.","Flow":"None"'),
  ],
  ['a number', '/developer/apps', json, app('"password":987654321012'), app(`"${r}":"${r}"`)],
  [
    'a list under a secret name',
    '/developer/apps',
    json,
    app(`"Password":["a",{"b":"${secret}"}]`),
    app(`"${r}":"${r}"`),
  ],
  [
    'an object under a documented secret name',
    '/developer/apps',
    json,
    app(`"Secret":{"Name":"${secret}"}`),
    app(`"Secret":"${r}"`),
  ],
  ['an unknown name', '/developer/apps', json, app(`"Nickname":{"Name":"${secret}"}`), app(`"${r}":"${r}"`)],
  ['a name that is a secret', '/developer/apps', json, app(`"${secret}":1`), app(`"${r}":"${r}"`)],
  [
    'a name that begins with another',
    '/developer/apps',
    json,
    app(`"Nickname":1,"Nickname ${secret}":1`),
    app(`"${r}":"${r}"`),
  ],
  ['a token and more in a name', '/developer/apps', json, app(`"${guid} ${secret}":1`), app(`"${r}":"${r}"`)],
  [
    'a list at the top',
    '/developer/apps',
    json,
    `["${secret}",${app(`"Secret":"${secret}"`)}]`,
    `["${r}",${app(`"Secret":"${r}"`)}]`,
  ],
  ['a text at the top', '/developer/apps', json, `"${secret}"`, `"${r}"`],
  ['a number at the top', '/developer/apps', json, '987654321012', `"${r}"`],
  [
    'a name that is repeated',
    '/developer/apps',
    json,
    `{"Name":{"x":"${secret}"},"Name":"Log","Secret":"${secret}","Secret":1}`,
    app(`"Secret":"${r}"`),
  ],
  ['an escaped name', '/developer/apps', json, app(`"Pass\\u0077ord":"${secret}"`), app(`"${r}":"${r}"`)],
  ['deep nesting', '/developer/apps', json, nested(40, `{"Name":"${secret}"}`), nested(12, `"${r}"`)],
  ['very deep nesting', '/developer/apps', json, nested(6_000, `{"Name":"${secret}"}`), `${nested(12, `"${r}"`)}…`],
  ['a secret in a text', '/developer/apps', json, app(`"Description":"token=${secret}"`), app(`"Description":"${r}"`)],
  [
    'JSON in a text',
    '/developer/apps',
    json,
    app(`"Description":"{\\"Name\\":\\"a\\",\\"Secret\\":\\"${secret}\\"}"`),
    app(`"Description":"{\\"Name\\":\\"a\\",\\"Secret\\":\\"${r}\\"}"`),
  ],
  [
    'malformed JSON in a text',
    '/developer/apps',
    json,
    app(`"Description":"{Secret:${secret}"`),
    app(`"Description":"${r}"`),
  ],
  [
    'a long text',
    '/developer/apps',
    json,
    app(`"Flow":"Code","Description":"${'long '.repeat(5_000)}"`),
    `${app('"Flow":"Code"')}…`,
  ],
  [
    'a long list',
    '/developer/apps',
    json,
    app(`"RedirectUris":[${`"http://a.example",`.repeat(1_000)}"${secret}"],"Secret":"${secret}"`),
    /^\{"Name":"Log","RedirectUris":\["http:\/\/a.example",.*"http:\/\/a.example"\]\}…$/,
  ],
  [
    'a long body that is malformed',
    '/developer/apps',
    json,
    `{"Name":"Log",Secret:"${secret}","Flow":"${'long '.repeat(5_000)}"}`,
    /^\[redacted\] \d+ bytes of application\/json$/,
  ],
]

for (const [trait, path, type, body, shown] of bodies)
  test(`the log has no secret of a request body with ${trait}`, async () => {
    const isRest = path.startsWith('/developer')
    const url = `${isRest ? service.baseUrl : service.url}${path}`
    const id = await send(url, body, type, isRest ? `Bearer ${ada}` : basic())

    const entry = await readEntry(id)
    if (typeof shown === 'string') assert.equal(entry.Request.Body, shown)
    else assert.match(entry.Request.Body ?? '', shown)
    for (const text of [JSON.stringify(entry), await explain(id)])
      for (const value of [secret, '987654321012', guid, 'c2ln', 'fedcba9876543210fedcba9876543210'])
        assert.ok(!text.includes(value), `${value} in ${text}`)
  })
