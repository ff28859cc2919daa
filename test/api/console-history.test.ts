import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setOperator } from '../../src/auth/commands/users.ts'
import { readRevision } from '../../src/instruments/store/reference.ts'
import { consoleCookie } from '../support/browser/console-cookie.ts'
import { demoKey } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { event, exchange, importTexts, instrument, lines, position } from '../support/service/import.ts'
import { serviceForFile } from '../support/service/service.ts'

const service = await serviceForFile()
const { db } = service.node.context
const { cookie } = await consoleCookie(service)

async function importAll(name: string, ...records: object[]) {
  const { errors, run } = await importTexts(service.database.connection, { [name]: lines(...records) })
  assert.deepEqual(errors, [])
  await service.node.catalogue.reached(await readRevision(db))
  return run ?? assert.fail('nothing changed')
}

async function read(path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${service.url}/console/${path}`, { headers: { cookie } })
  return { status: response.status, text: await response.text() }
}
const served = (path: string, text: string | RegExp) =>
  eventually(async () => {
    const page = await read(path)
    return page.status === 200 && page.text.match(text) ? page.text : undefined
  })
const plain = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

const account = demoKey('account 9226397')
const cfd = (Description: string) => ({ As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock', Description }] })
const dividend = (Ex: string, more: object = {}) => event('H-1', 7001, { Ex: { Date: Ex }, ...more })

const first = await importAll('first.ndjson', exchange, instrument(7001, { Description: '<b>Old</b>', ...cfd('A') }))
const second = await importAll('second.ndjson', instrument(7001, { Description: 'New name', ...cfd('B') }))

test('the history of an instrument has each version, newest first, with its fields before and after', async () => {
  const html = await served('instruments/7001/Stock/history', 'New name')
  const text = plain(html)

  assert.match(
    text,
    new RegExp(`Changed Source second.ndjson Revision \\d+ Run ${second} .*Added Source first.ndjson.* Run ${first} `),
  )
  assert.match(html, /<span class="field-name" title="Description: [^"]+">Name<\/span>/)
  assert.match(text, / Name Before &lt;b&gt;Old&lt;\/b&gt; After New name CFD on stock: name Before A After B /)
  assert.match(text, /Times are in UTC\./)
  assert.match(html, /<a href="\/console\/instruments\/7001\/Stock\/history" aria-current="page">History<\/a>/)
})

test('the history of an event says in words what a correction changed, and by which message', async () => {
  await importAll('a.ndjson', position(account, 7001, 5), dividend('2099-12-03'))
  const Source = { Format: 'mt564', Reference: 'CA-118' }
  const Options = [{ OptionId: '1', Deadline: { Date: '2099-11-20T16:00:00Z' } }]
  await importAll('b.ndjson', dividend('2099-12-05', { Source, Options }))
  const path = 'events/H-1/history'

  const text = plain(await served(path, 'CA-118'))

  assert.match(text, /Ex date moved from 3 Dec 2099 to 5 Dec 2099; options added, by message CA-118\./)
  assert.match(text, / Ex date Before 3 Dec 2099 After 5 Dec 2099 /)
  assert.match(text, /Added by a\.ndjson\./)
  assert.doesNotMatch(text, /Updated/, 'the time of the update says nothing more')

  const later = [{ OptionId: '1', Deadline: { Date: '2099-11-21T16:30:00Z' } }]
  await importAll('c.ndjson', dividend('2099-12-05', { Options: later }))
  const moved = /Option 1: response deadline moved from 20 Nov 2099, 16:00 to 21 Nov 2099, 16:30, by c\.ndjson\./
  assert.match(plain(await served(path, 'c.ndjson')), moved)
  assert.match(await served('events/H-1', 'Pages of this event'), /href="\/console\/events\/H-1\/history">History/)
})

test('pages follow each other', async () => {
  await importAll('third.ndjson', instrument(7002, { Description: 'Version 0' }))
  for (let number = 1; number <= 20; number++) {
    const text = lines(instrument(7002, { Description: `Version ${number}` }))
    await importTexts(service.database.connection, { [`many-${number}.ndjson`]: text })
  }

  const page = await served('instruments/7002/Stock/history', 'many-20\\.ndjson')
  const href = '/console/instruments/7002/Stock/history?$skip=20'
  assert.ok(page.includes(`rel="next" href="${href}"`))
  assert.doesNotMatch(page, /third\.ndjson|First page/)

  const last = (await read(href.slice('/console/'.length))).text
  assert.match(last, /third\.ndjson/)
  assert.match(last, /First page/)
  assert.doesNotMatch(last, /Next page/)
  assert.match((await read('instruments/7002/Stock/history?$skip=40')).text, /No changes on this page/)
})

test('an event that only a sub-client holds has its history there', async () => {
  await importAll('e.ndjson', instrument(7004), event('H-3', 7004), position(demoKey('account 9300101'), 7004, 5))
  const path = 'events/H-3/history?IncludeSubAccounts=true'
  assert.match(
    await served(path, 'No versions to show'),
    /that only sub-clients hold is shown to them and to operators/,
  )
})

test('a record without versions says what would appear, to operators too', async () => {
  await importAll('d.ndjson', instrument(7003), event('H-2', 7003), position(account, 7003, 5))
  await served('events/H-2/history', 'Added by d.ndjson')
  await db.deleteFrom('record_version').where('id', 'in', ['7003', 'H-2']).execute()
  for (const isOperator of [false, true]) {
    await setOperator(service.node.context, 'ada', isOperator, () => {})
    for (const [path, kind] of [
      ['instruments/7003/Stock/history', 'instrument'],
      ['events/H-2/history', 'event'],
    ]) {
      const { status, text } = await read(path ?? '')
      assert.equal(status, 200)
      assert.match(text, new RegExp(`This ${kind} has not changed\\.`))
      assert.match(text, /a version appears here: when it changed, what changed it, and each field before and after/)
    }
  }
  await setOperator(service.node.context, 'ada', false, () => {})
})

test('what does not exist has no history page', async () => {
  assert.equal((await read('instruments/7999/Stock/history')).status, 404)
  assert.equal((await read('events/NONE/history')).status, 404)
})
