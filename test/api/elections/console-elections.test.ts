import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { consoleCookie } from '../../support/browser/console-cookie.ts'
import type { FixedClock } from '../../support/clock.ts'
import { offer } from '../../support/events/electing.ts'
import { accountKeys, eventService, position } from '../../support/events/event-service.ts'

const deadline = { Date: '2026-11-16T18:00:00Z' }
const { service } = await eventService({
  positions: [position(accountKeys.ada, 1, 100), position(accountKeys.ada2, 1, 50), position(accountKeys.ada, 2, 70)],
  events: [
    offer('two', 1),
    offer('one', 2, {
      Options: [
        { OptionId: '1', OptionType: { Code: 'CASH' }, Deadline: deadline, MinExercisableMultipleQuantity: 10 },
        { OptionId: '2', OptionType: { Code: 'NOAC' }, IsDefault: true, Deadline: deadline },
        { OptionId: '3', OptionType: { Code: 'SECU' }, Deadline: { Date: '2026-11-16T13:00:00Z' } },
        { OptionId: '4', OptionType: { Code: 'OTHR' }, OptionStatus: 'Inactive' },
      ],
    }),
    // Past by its ex date, and lapsed for the API, but elections are still taken.
    offer('period', 1, {
      EventType: { Code: 'TEND' },
      Ex: { Date: '2026-11-10' },
      Options: [
        { OptionId: '1', OptionType: { Code: 'CASH' }, ElectionPeriod: { End: { Date: '2026-11-30' } } },
        { OptionId: '2', OptionType: { Code: 'NOAC' }, IsDefault: true },
      ],
    }),
    offer('dividend', 2, {
      EventType: { Code: 'DVOP' },
      Options: [
        { OptionId: '1', OptionType: { Code: 'CASH' }, IsDefault: true, Deadline: deadline },
        { OptionId: '2', OptionType: { Code: 'SECU' }, Deadline: deadline },
      ],
    }),
  ],
})
const clock = service.clock as FixedClock
const { db } = service.node.context
let { cookie } = await consoleCookie(service)
/** Later the session of before has expired. */
async function advance(seconds: number): Promise<void> {
  clock.advance(seconds)
  cookie = (await consoleCookie(service)).cookie
}

type Page = Readonly<{ status: number; location: string | null; markup: string; text: string }>
type Fields = Record<string, string>

async function pageOf(response: Response): Promise<Page> {
  const markup = await response.text()
  const text = markup.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  return { status: response.status, location: response.headers.get('location'), markup, text }
}
const open = async (path: string): Promise<Page> =>
  pageOf(await fetch(`${service.url}/console/events/${path}`, { headers: { cookie }, redirect: 'manual' }))
const submit = async (path: string, fields: Fields): Promise<Page> =>
  pageOf(
    await fetch(`${service.url}/console/events/${path}`, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    }),
  )

const unescaped = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
const attribute = (element: string, name: string) =>
  unescaped(new RegExp(` ${name}="([^"]*)"`).exec(element)?.[1] ?? '')
/** The fields of the first form of a page that has a field of this name, as a browser would send them. */
function formWith({ markup }: Page, name: string): Fields {
  const forms = markup.match(/<form.*?<\/form>/gs) ?? []
  const form = forms.find((each) => each.includes(` name="${name}"`)) ?? ''
  const inputs = form.match(/<input[^>]*>/g) ?? []
  return Object.fromEntries(inputs.map((input) => [attribute(input, 'name'), attribute(input, 'value')]))
}
const countElections = async () =>
  (await sql<{ last: number }>`select last from election_count`.execute(db)).rows[0]?.last

test('an event that can be elected until its period ends needs a decision, though it has no deadline', async () => {
  const list = await open('')
  assert.match(list.text, /Needs your decision 4 /)
  assert.match(list.markup, /<tr class="awaits">.{0,200}events\/period"/s)
  const { text } = await pageOf(await fetch(service.url, { headers: { cookie } }))
  assert.match(text, /Next deadline 4 pending/)
})

test('with several accounts the event links to the form of each', async () => {
  const page = await open('two')
  assert.equal(page.status, 200)
  assert.doesNotMatch(page.markup, /name="Amount-0"/)
  const links = [...page.markup.matchAll(/href="([^"]*#elect)">Elect/g)].map(([, href]) => unescaped(href ?? ''))
  assert.equal(links.length, 2)
  const form = formWith(await open((links[1] ?? '').replace('/console/events/', '')), 'Amount-0')
  assert.equal(form.AccountKey, accountKeys.ada2)
})

test('an election is shown at once, once per form, and can be changed and withdrawn', async () => {
  const start = await open('one')
  assert.match(start.text, /holds 70 : 0 elected, 70 not elected/)
  assert.match(start.text, /What is not elected by 16 Nov 2026, 18:00 UTC .*gets option 2 No Action .*, the default/)
  const form = { ...formWith(start, 'Amount-0'), 'Amount-0': '40', 'Remarks-0': 'As <b>agreed</b>' }
  const before = (await countElections()) ?? 0
  for (const _ of ['sent', 'sent twice']) {
    const { status, location } = await submit('one/elect', form)
    assert.deepEqual([status, location], [303, '/console/events/one?done=elected#content'])
    assert.equal(await countElections(), before + 1)
  }
  const shown = await open('one?done=elected#content')
  assert.match(shown.text, /Your election was saved.*40 elected, 30 not elected/)
  assert.match(shown.markup, /value="As &lt;b&gt;agreed&lt;\/b&gt;"/)

  const changed = { ...formWith(shown, 'Amount-0'), 'Amount-0': '10', 'Amount-1': '60' }
  assert.equal((await submit('one/elect', changed)).status, 303)
  const stale = await submit('one/elect', { ...form, 'Amount-0': '20' })
  assert.equal(stale.status, 409)
  assert.match(stale.text, /changed in the meantime. Nothing of yours was saved. .*10 for 1 Cash.* 60 for 2 No Action/)
  assert.equal(formWith(stale, 'Amount-0')['Amount-0'], '20', 'what was typed is kept')

  const withdrawal = formWith(await open('one'), 'withdraw')
  assert.equal((await submit('one/elect', withdrawal)).location, '/console/events/one?done=withdrawn#content')
  assert.match((await open('one')).text, /0 elected, 70 not elected/)
})

test('errors are shown at their fields, with what was typed', async () => {
  const form = formWith(await open('one'), 'Amount-0')
  const before = await countElections()
  for (const [fields, field, error] of [
    [{ 'Amount-0': 'ten' }, 'Amount-0', /Must be a number/],
    [{ 'Amount-0': '15' }, 'Amount-0', /Must be a multiple of 10/],
    [{ 'Amount-1': '-1' }, 'Amount-1', /Must be positive/],
    [{ 'Amount-1': '1', 'Remarks-1': 'x'.repeat(2_001) }, 'Remarks-1', /at most 2000/],
  ] as const) {
    const page = await submit('one/elect', { ...form, ...fields })
    assert.equal(page.status, 400)
    assert.match(page.text, error)
    assert.match(page.text, /Nothing was saved\. Correct the marked fields\./)
    assert.match(page.markup, new RegExp(`id="e-${field}"`))
    assert.equal(formWith(page, 'Amount-0')[field], (fields as Fields)[field])
  }
  const tooMuch = await submit('one/elect', { ...form, 'Amount-0': '50', 'Amount-1': '21' })
  assert.match(tooMuch.text, /The amounts add up to 71; the account holds 70\./)
  for (const field of ['Amount-0', 'Amount-1'])
    assert.match(tooMuch.markup, new RegExp(`id="f-${field}"[^>]* aria-invalid="true" aria-describedby="elect-error`))
  assert.match(
    tooMuch.markup,
    /action="[^"]*\/elect[^"]*#elect"/,
    'the browser shows the form, not the top of the page',
  )
  assert.equal(await countElections(), before)
  assert.equal((await submit('other/elect', form)).status, 404)
})

test('standing instructions can be given and ended, and the form says what they will do', async () => {
  assert.match((await open('standing')).text, /No standing instructions/)
  const given = { ...formWith(await open('standing'), 'form_token'), account: accountKeys.ada, instrument: '2 Stock' }
  const form = { ...given, form_token: formWith(await open('one'), 'Amount-0').form_token ?? '', option: 'SECU' }
  assert.equal((await submit('standing', { ...form, account: accountKeys.cy })).status, 400)
  assert.equal((await submit('standing', form)).location, '/console/events/standing?done=given')
  const list = await open('standing')
  assert.match(list.text, /Nestlé.*Securities \(SECU\) 16 Nov 2026/)
  assert.match(
    (await open('dividend')).text,
    /gets option 2 Securities .*, by the standing instruction of this account/,
  )

  assert.match((await open('dividend')).markup, /standing\?account=[^"]*instrument=2\+Stock">Change the/)
  const instruction = /name="instruction" value="([^"]+)"/.exec(list.markup)?.[1] ?? ''
  for (const _ of ['ended', 'ended twice'])
    assert.equal(
      (await submit('standing/end', { ...form, instruction })).location,
      '/console/events/standing?done=ended',
    )
  assert.match((await open('standing')).text, /No standing instructions/)
  assert.equal((await submit('standing', form)).status, 303)
})

test('an election whose deadline has passed stays, and after the last one the page says what was applied and why', async () => {
  const form = { ...formWith(await open('one'), 'Amount-2'), 'Amount-2': '5' }
  assert.equal((await submit('one/elect', form)).status, 303)
  await advance(2 * 3_600)
  const later = await open('one')
  assert.match(later.text, /3 Securities.*5 elected. It can no longer be changed/)
  assert.equal((await submit('one/elect', { ...formWith(later, 'Amount-0'), 'Amount-0': '20' })).status, 303)
  assert.equal((await submit('one/elect', formWith(await open('one'), 'withdraw'))).status, 303)
  const kept = await open('one')
  assert.match(kept.text, /5 elected, 65 not elected/)

  await advance(4 * 3_600 + 1)
  const closed = await open('one')
  assert.doesNotMatch(closed.markup, /id="elect"/)
  assert.match(closed.text, /65 for 2 No Action\s+applied as the default: nothing else was elected by the deadline/)
  assert.match((await open('dividend')).text, /70 for 2 Securities\s+applied by the standing instruction/)
  const late = await submit('one/elect', { ...formWith(kept, 'Amount-0'), 'Amount-0': '20' })
  assert.equal(late.status, 409)
  assert.match(late.text, /Nothing was saved: the deadline has passed in the meantime/)
})
