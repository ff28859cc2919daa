import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleCookie } from '../../support/browser/console-cookie.ts'
import { demoKey } from '../../support/demo.ts'
import { exportText, instrument, lines } from '../../support/service/import.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { head, holdEverything } from './scenario-support.ts'

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
async function submit(address: string, fields: Record<string, string | Blob>, session: Session = ada) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ form_token: session.formToken, ...fields })) form.set(name, value)
  const isUpload = Object.values(fields).some((value) => typeof value !== 'string')
  const body = isUpload ? form : new URLSearchParams([...form.entries()] as [string, string][])
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
  assert.match(page, /The scenario was loaded\. Its links show/)
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

test('a loaded scenario links to the trading hours, options, app or event that it brought', async () => {
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

const errorsOf = (page: string) =>
  page.match(/<strong>Nothing was loaded\.<\/strong><\/p><ul>(.*?)<\/ul>/s)?.[1]?.replaceAll(/<\/?li>/g, '\n') ?? ''
const own = `${path}/own`

test('a scenario of one’s own is pasted or uploaded, as in the example', async () => {
  const escaped =
    /<pre tabindex="0"><code>(.*?)<\/code>/s.exec((await open(path)).split('id="own"')[1] ?? '')?.[1] ?? ''
  const example = escaped.replaceAll('&quot;', '"')
  for (const fields of [{ Text: example }, { Text: '', File: new Blob([example]) }, { File: new Blob([example]) }]) {
    const { status, to } = await submit(own, fields)
    assert.deepEqual([status, to], [303, `${path}?done=loaded&look=my-dividend#content`])
    assert.match(cardOf(await open(to), 'A dividend tomorrow'), /href="\/console\/events\/MY-1".*You need its text/s)
    await submit(`${path}/unload`, { name: 'my-dividend' })
  }
})

test('errors of a text name line and field, and nothing of it is loaded', async () => {
  const isUnchanged = await holdEverything(service.database.connection)
  const text = lines(
    head('mine'),
    { ...instrument(82_001), ExchangeId: 'NASDAQ' },
    {
      kind: 'position',
      AccountKey: demoKey('account 9226397'),
      Uic: 82_001,
      AssetType: 'Stock',
      Amount: '<b>many</b>',
    },
  )
  for (const fields of [{ Text: text }, { Text: '', File: new Blob([text]) }]) {
    const { status, page } = await submit(own, fields)
    assert.equal(status, 400)
    assert.match(errorsOf(page), /^\nLine 3, position .*82001 Stock, field Amount: Must be a decimal number/)
    assert.match(page, /<textarea id="f-Text".*&lt;b&gt;many.*<\/textarea>/s, 'the text can be corrected')
    assert.doesNotMatch(page, /<b>/)
  }
  for (const [Text, expected] of [
    ['', 'Choose a file, or paste its text.'],
    ['[]', 'Line 1: The first line must be'],
    [
      `${JSON.stringify(head('mine'))}\n${' '.repeat(70_000)}`,
      'The body is too large. As JSON, with its quotation marks',
    ],
    [`${JSON.stringify(head('mine'))}\n${'"'.repeat(40_000)}`, 'at most 64 KB here. Load a larger one with: refdesk'],
    ['"'.repeat(30 * 1024), 'Line 1: The first line must be'],
  ] as const) {
    const { status, page } = await submit(own, { Text })
    assert.equal(status, 400)
    assert.ok(errorsOf(page).includes(expected), expected)
  }
  const latin = await submit(own, { File: new Blob([Buffer.from('Zürich', 'latin1')]) })
  assert.deepEqual([latin.status, /The file must be UTF-8 text/.test(latin.page)], [400, true])
  const forged = await submit(own, { File: new Blob([text]), form_token: '0'.repeat(32) })
  assert.deepEqual([forged.status, /Nothing was changed/.test(forged.page)], [400, true])
  const large = await submit(own, { File: new Blob([' '.repeat(300_000)]) })
  assert.equal(large.status, 413)
  assert.match(large.page, /<h1>Too large/)
  await isUnchanged()
})

test('rejects a malformed upload', async () => {
  const headers = { cookie: ada.cookie, 'content-type': 'multipart/form-data; boundary=x' }
  const response = await fetch(`${service.url}${own}`, { method: 'POST', headers, body: '--y\r\n' })
  assert.equal(response.status, 400)
  assert.match(await response.text(), /The form is malformed/)
})

const give = `${path}/give`
const amountsOf = async () =>
  (await exportText(service.database.connection, ['position']))
    .split('\n')
    .flatMap((line) => /"Uic":1000,"AssetType":"Stock".*"Amount":(-?\d+)/.exec(line)?.[1] ?? [])

test('a position is given and removed', async () => {
  const before = await amountsOf()
  assert.match((await open(path)).split('id="give"')[1] ?? '', /name="User" type="text" value="ada"/)
  const fields = { User: 'ada', Symbol: 'AAPL:xnas', AssetType: 'Stock', Account: '' }

  const { status, to } = await submit(give, { ...fields, Amount: '777' })
  assert.deepEqual([status, to], [303, `${path}?done=given&instrument=1000/Stock#give`])
  assert.ok((await amountsOf()).includes('777'))
  assert.match(
    await open(to),
    /The position was set\. See .* and <a href="\/console\/instruments\/1000\/Stock"><bdi>Apple/,
  )

  const removed = await submit(give, { ...fields, Amount: '0' })
  assert.match(await open(removed.to), /The position was removed/)
  assert.ok(!(await amountsOf()).includes('777'))
  assert.ok((await amountsOf()).length <= before.length)
  assert.equal(
    (await fetch(`${service.url}${path}?done=given&instrument=7/Nothing`, { headers: { cookie: ada.cookie } })).status,
    200,
  )
})

test('errors of a position are at their field, with what was typed', async () => {
  const before = await amountsOf()
  const right = { User: 'ada', Symbol: 'AAPL:xnas', Amount: '5', AssetType: 'Stock', Account: '' }
  for (const [field, value, expected] of [
    ['User', 'nobody', 'There is no user nobody. Choose one of: '],
    ['User', '', 'Is required.'],
    ['Symbol', 'AAPL:nowhere', 'No instrument that the user may see has the symbol AAPL:nowhere. Choose one of: '],
    ['Amount', 'many', 'Must be a number, such as 250.'],
    ['Amount', '', 'Is required.'],
    ['Amount', '1e99', 'Must be'],
    ['AssetType', '', 'AAPL:xnas has several asset types. Choose one of: '],
    ['AssetType', 'Bond', 'AAPL:xnas is not offered as Bond.'],
    ['Account', '1', 'The user has no account 1. Choose one of: '],
  ] as const) {
    const { status, page } = await submit(give, { ...right, [field]: value })
    assert.equal(status, 400, `${field} ${value}`)
    const error = new RegExp(`<p class="field-error" id="e-${field}" role="alert">(.*?)</p>`).exec(page)?.[1]
    assert.ok(error?.includes(expected), `${field} ${value}: ${error}`)
    assert.ok(page.includes(`name="${field}" type="text" value="${value}" aria-invalid="true"`), field)
  }
  assert.deepEqual(await amountsOf(), before)
})
