import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleCookie } from '../../support/browser/console-cookie.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { holdEverything } from './scenario-support.ts'

const service = await serviceForFile({ reference: true })
const path = '/console/sim/scenarios'
const ada = await consoleCookie(service)
const bo = await consoleCookie(service, 'bo')

type Session = typeof ada

async function open(address: string, { cookie }: Session = ada): Promise<string> {
  const response = await fetch(`${service.url}${address}`, { headers: { cookie } })
  assert.equal(response.status, 200)
  return response.text()
}

/** Submits a form. Returns where it leads, or the page with its errors. */
async function submit(address: string, fields: Record<string, string>, session: Session = ada) {
  const body = new URLSearchParams({ form_token: session.formToken, ...fields })
  const headers = { cookie: session.cookie }
  const response = await fetch(`${service.url}${address}`, { method: 'POST', headers, body, redirect: 'manual' })
  return { status: response.status, to: response.headers.get('location') ?? '', page: await response.text() }
}

/** The card of a scenario. */
function cardOf(page: string, title: string): string {
  const card = page.split('<article').find((each) => each.includes(`<h3><bdi>${title}</bdi>`))
  assert.ok(card, title)
  return card
}

const tender = 'A tender offer due tomorrow'

test('a scenario is loaded with links to what its user may see, and unloaded without a trace', async () => {
  const isUnchanged = await holdEverything(service.database.connection)
  const before = cardOf(await open(path), tender)
  assert.match(before, /Not loaded.*A bidder offers.*Sign in as ada.*The event is listed as electable.*>Load</s)

  const { status, to } = await submit(`${path}/load`, { name: 'tender-offer' })
  assert.deepEqual([status, to], [303, `${path}?done=loaded&look=tender-offer`])

  const page = await open(to)
  assert.match(page, /The scenario was loaded/)
  const loaded = cardOf(page, tender)
  assert.match(loaded, /Loaded.*\d+ \w+ 2026, \d\d:\d\d, 3 records.*Yes, unload/s)
  assert.match(loaded, /<a href="\/console\/events\/SC-TENDER-81001"><bdi>Tender Offer, Harbor Lights Inc\.</)
  assert.match(loaded, /<a href="\/console\/instruments\/81001\/Stock"><bdi>Harbor Lights Inc\.</)
  const ofBo = cardOf(await open(`${path}?look=tender-offer`, bo), tender)
  assert.doesNotMatch(ofBo, /SC-TENDER-81001/, 'bo holds none of it')
  assert.match(cardOf(await open(path), tender), /href="\/console\/sim\/scenarios\?look=tender-offer">What to look at/)

  const again = await submit(`${path}/load`, { name: 'tender-offer' })
  assert.equal(again.status, 400)
  assert.match(again.page, /role="alert">The scenario tender-offer is loaded already/)

  const unloaded = await submit(`${path}/unload`, { name: 'tender-offer' })
  assert.deepEqual([unloaded.status, unloaded.to], [303, `${path}?done=unloaded`])
  await isUnchanged()
  assert.match(cardOf(await open(`${path}?look=tender-offer`), tender), /Not loaded/)
  const gone = await submit(`${path}/unload`, { name: 'tender-offer' })
  assert.equal(gone.status, 400)
  assert.match(gone.page, /role="alert">A loaded scenario tender-offer/)
})

test('every shipped scenario that brings events, instruments, options or apps links to one of them', async () => {
  for (const [name, link] of [
    ['half-day', '/console/schedule/81601/Stock'],
    ['option-expiry-today', '/console/options/81490'],
    ['ending-secret', '/console/apps/5c000000000000000000000000000901'],
    ['rights-lapse', '/console/events/SC-EXRI-81201'],
  ] as const) {
    const { to } = await submit(`${path}/load`, { name })
    assert.ok((await open(to)).includes(`<a href="${link}"`), name)
    await submit(`${path}/unload`, { name })
  }
})

test('an unknown name or a form of another site changes nothing', async () => {
  for (const name of ['', '.', '..', 'no-such'])
    for (const action of ['load', 'unload']) {
      const { status } = await submit(`${path}/${action}`, { name })
      assert.ok(status === 400 || status === 404, `${action} ${name}: ${status}`)
    }
  const forged = await submit(`${path}/load`, { name: 'tender-offer', form_token: '0'.repeat(32) })
  assert.equal(forged.status, 400)
  assert.match(forged.page, /Nothing was changed/)
  assert.match(cardOf(await open(`${path}?look=no-such`), tender), /Not loaded/)
})
