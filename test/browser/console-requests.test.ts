import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleApp } from '../../src/apps/store/console-app.ts'
import { issueDemoToken } from '../../src/auth/grants/demo-token.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFits, sharedConsole } from '../support/browser/console.ts'
import { consoleCookie } from '../support/browser/console-cookie.ts'
import { demoApp } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { obtainTokens, postToken } from '../support/sign-in.ts'

const { service, visit } = await sharedConsole()
const { access_token: ada } = await obtainTokens(service.url)
const list = '/console/requests'

/** A request under an id of its own, which finds its entry. */
async function send(path: string, more: RequestInit = {}): Promise<string> {
  const id = `page-${Math.random().toString(36).slice(2)}`
  const headers = { authorization: `Bearer ${ada}`, 'content-type': 'application/json', 'x-request-id': id }
  await fetch(`${service.baseUrl}${path}`, { headers, ...more })
  return id
}

const logged = () => [...(service.node.server.requestLog?.ring.newest() ?? [])]

async function open(path: string, user = 'ada', more: RequestInit = {}) {
  const { cookie, formToken } = await consoleCookie(service, user)
  const init: RequestInit = { redirect: 'manual', ...more, headers: { cookie, ...more.headers } }
  if (more.method === 'POST') init.body = new URLSearchParams({ form_token: formToken })
  const response = await fetch(`${service.url}${path}`, init)
  return { status: response.status, text: await response.text(), location: response.headers.get('location') ?? '' }
}

/** The page of an entry, once it is in the log. */
const entryPage = (id: string) =>
  eventually(async () => {
    const page = await open(`${list}/${id}`)
    return page.status === 200 ? page : undefined
  })

test('lists the own requests by filter and with names, and adds nothing to the log', async () => {
  const id = await send('/ref/v1/instruments/details/999999777/Stock')
  await entryPage(id)
  const before = logged()[0]?.id
  const all = await open(`${list}?Path=999999777&Status=4xx&AppKey=${demoApp.AppKey}`)
  assert.equal(all.status, 200)
  assert.match(all.text, /details\/999999777\/Stock<\/a><span class="reason">There is no instrument 999999777 /)
  assert.match(all.text, /<td><bdi>ada<\/bdi><\/td>/)
  assert.match(all.text, /<td><bdi>Pocket Charts<\/bdi><\/td>/)
  assert.match((await open(`${list}?Path=999999777&Status=5xx`)).text, /No requests\./)
  assert.match((await open(`${list}?Path=999999777`, 'bo')).text, /No requests\./)
  assert.equal((await open(`${list}?Status=many`)).status, 400)
  assert.equal(logged()[0]?.id, before, 'neither the page nor what it reads is logged')
})

test('hides the pages and calls of the console until asked, and filters by status with one click', async () => {
  const token = await issueDemoToken(service.node.context, consoleApp.AppKey, 'ada')
  noteSecret('access token', token)
  await send('/ref/v1/instruments/details/1000/Stock', { headers: { authorization: `Bearer ${token}` } })
  const own = await eventually(async () => {
    const { text } = await open(`${list}?Console=show&Path=details/1000/Stock`)
    return text.includes('<bdi>Console</bdi>') ? text : undefined
  })
  assert.match(own, /aria-current="true"><span class="unseen">Hide the requests of the <\/span>Console</)
  const hidden = await open(`${list}?Path=details/1000/Stock`)
  assert.doesNotMatch(hidden.text, /<td><bdi>Console<\/bdi>/)
  assert.match(hidden.text, /href="\/console\/requests\?Status=4xx&amp;Path=details%2F1000%2FStock"/)
  const chosen = await open(`${list}?Path=details/1000/Stock&AppKey=${consoleApp.AppKey}`)
  assert.match(chosen.text, /<td><bdi>Console<\/bdi>/)
})

test('the home page lists the latest errors of apps, not those of the console', async () => {
  const token = await issueDemoToken(service.node.context, consoleApp.AppKey, 'ada')
  noteSecret('access token', token)
  const ofConsole = await send('/ref/v1/instruments/details/999999555/Stock', {
    headers: { authorization: `Bearer ${token}` },
  })
  await eventually(async () => logged().find(({ target }) => target.includes('999999555')), ofConsole)
  await entryPage(await send('/ref/v1/instruments/details/999999666/Stock'))
  const { text } = await open('/')
  assert.match(text, /details\/999999666\/Stock/)
  assert.doesNotMatch(text, /999999555/)
})

test('older requests are on pages of their own, which do not change', async () => {
  const ids = await Promise.all(Array.from({ length: 51 }, () => send('/ref/v1/instruments/details/999999555/Stock')))
  await Promise.all(ids.map(entryPage))
  const first = await open(`${list}?Path=999999555`)
  const older = /href="([^"]*skiptoken[^"]*)">Older/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = await open(older)
  const count = ({ text }: { text: string }) => text.split('<th scope="row">').length - 1
  assert.deepEqual([first, second].map(count), [50, 1])
  assert.deepEqual(
    [first, second].map(({ text }) => text.includes('data-live')),
    [true, false],
  )
  assert.ok(!second.text.includes('>Older<'))
})

test('an entry names the secret of the app by its id and last four characters', async () => {
  const { headers } = await postToken(service.url, { grant_type: 'refresh_token', refresh_token: 'unknown' })
  const id = encodeURIComponent(headers.get('x-correlation') ?? '')
  assert.match(
    (await entryPage(id)).text,
    new RegExp(`<dt>Secret</dt><dd>\\d+ \\(…${demoApp.Secret.slice(-4)}\\)</dd>`),
  )
})

test('an entry of another client is the same page as an unknown one', async () => {
  const id = await send('/port/v1/users/me')
  await entryPage(id)
  const without = ({ status, text }: { status: number; text: string }) => [
    status,
    /<main.*<\/main>/s.exec(text)?.[0].replace(/<code>[^<]*<\/code>/, ''),
  ]
  const foreign = await open(`${list}/${id}`, 'bo')
  assert.equal(foreign.status, 404)
  assert.deepEqual(without(foreign), without(await open(`${list}/unknown`, 'bo')))
  assert.equal((await open(`${list}/${id}/again`, 'bo', { method: 'POST' })).status, 404)
})

test('shows the whole exchange with a curl command, and an explanation where there is one', async () => {
  const { text } = await entryPage(await send('/ref/v1/instruments?Keywords=apple&$top=1'))
  assert.ok(text.includes('Authorization: Bearer $TOKEN'))
  assert.ok(!text.includes(ada))
  assert.match(text, /href="\/console\/explain\?Request=[^"]*Keywords[^"]*">Explain</)
  const other = await entryPage(await send('/port/v1/users/me'))
  assert.ok(!other.text.includes('>Explain<'))
  assert.match(other.text, /UserKey/)
})

test('a rejected sign-in or token request is explained from its entry, and by its X-Correlation', async () => {
  const { headers } = await postToken(service.url, { grant_type: 'refresh_token', refresh_token: 'unknown' })
  const correlation = headers.get('x-correlation') ?? assert.fail()
  const { text } = await entryPage(encodeURIComponent(correlation))
  const [, href = ''] = /href="([^"]*)">Explain</.exec(text) ?? []
  for (const address of [
    href.replaceAll('&amp;', '&'),
    `/console/explain?${new URLSearchParams({ Request: correlation })}`,
  ]) {
    const page = await open(address)
    assert.equal(page.status, 200, address)
    assert.match(page.text, /What to send instead/)
  }
  const unknown = await open('/console/explain?Request=unknown')
  assert.equal(unknown.status, 404)
  assert.match(unknown.text, /No request with this id was found/)
})

test('sends a GET request again as the user, and never anything else', async () => {
  const get = await send('/port/v1/users/me')
  await entryPage(get)
  const again = await open(`${list}/${get}/again`, 'ada', { method: 'POST' })
  assert.equal(again.status, 303)
  const page = await eventually(async () => {
    const found = await open(again.location)
    return found.status === 200 ? found : undefined
  })
  assert.match(page.text, /Sent again as you/)
  assert.match(page.text, /GET \/sim\/openapi\/port\/v1\/users\/me<\/h1>/)

  const post = await send('/developer/apps', { method: 'POST', body: '{}' })
  assert.ok(!(await entryPage(post)).text.includes('Send again'))
  const before = logged()[0]?.id
  assert.equal((await open(`${list}/${post}/again`, 'ada', { method: 'POST' })).status, 400)
  assert.equal(logged()[0]?.id, before)
})

test('new requests appear by themselves until paused, and pages pass axe and fit a phone', async () => {
  const path = '/ref/v1/instruments/details/999999666/Stock'
  const first = await send(path)
  await entryPage(first)
  await visit(
    async (page) => {
      const rows = page.locator('#rows tbody tr')
      await rows.first().waitFor()
      const before = await rows.count()
      await send(path)
      await eventually(async () => (await rows.count()) === before + 1 || undefined)
      await assertAccessible(page, 'requests')
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByText('Paused.').waitFor()
      await rows.first().getByRole('link').click()
      await page.getByRole('button', { name: 'Send again' }).waitFor()
      await assertAccessible(page, 'a request')
      await page.setViewportSize({ width: 390, height: 844 })
      await assertFits(page)
      await page.getByRole('button', { name: 'Send again' }).click()
      await page.getByText('Sent again as you').waitFor()
    },
    { next: `${list}?Path=999999666` },
  )
})
