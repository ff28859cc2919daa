import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aHolding, anEvent, anOption, type EventOption } from '../../../test/support/events/event.ts'
import type { Event } from '../api/schema.ts'
import { choiceText, eventDescription, eventTitle, plainText } from './calendar-texts.ts'

const now = Temporal.Instant.from('2026-11-16T12:00:00Z')
const describe = (event: Event) => eventDescription(event, event.Options ?? [], now).split('\n')
function withoutElections(more: Partial<Event>): Event {
  const { ElectionStatus: _, ...event } = anEvent({ Options: [], Electable: 'NotElectable', ...more })
  return event
}

test('titles an event by instrument and type, or by their codes if they have no names', () => {
  assert.equal(eventTitle(anEvent()), 'Apple Inc., Tender Offer')
  assert.equal(eventTitle(anEvent({ DisplayAndFormat: { Symbol: 'AAPL:xnas' } })), 'AAPL:xnas, Tender Offer')
  const { DisplayAndFormat: _, ...nameless } = anEvent({ EventType: { Code: 'TEND' } })
  assert.equal(eventTitle(nameless), 'Uic 211, TEND')
})

test('distinguishes the event of a contract on a share from that of the share', () => {
  assert.equal(eventTitle(anEvent({ AssetType: 'CfdOnStock' })), 'Apple Inc. (CFD), Tender Offer')
  assert.equal(eventTitle(anEvent({ AssetType: 'SrdOnStock' })), 'Apple Inc. (Srd On Stock), Tender Offer')
  assert.equal(describe(anEvent({ AssetType: 'CfdOnStock' }))[0], 'Apple Inc., AAPL:xnas, ISIN US0378331005, CFD')
})

test('names the options of an entry and the default where there is a choice', () => {
  const options = [1, 2, 3, 4, 5, 6].map((id) => anOption(String(id), `Choice ${id}`))
  const [one, two, ...others] = options as [EventOption, EventOption, ...EventOption[]]
  const fallback = { ...two, IsDefault: true }
  assert.equal(choiceText([one], [one]), '')
  assert.equal(choiceText([], [one, two]), '')
  assert.equal(choiceText([one, two], [one, two]), '')
  assert.equal(choiceText([one, fallback], [one, fallback]), ' (default 2 Choice 2)')
  assert.equal(choiceText([two], [one, two]), ' (option 2 Choice 2)')
  assert.equal(choiceText([one], [one, fallback]), ' (option 1 Choice 1; default 2 Choice 2)')
  assert.equal(choiceText([fallback], [one, fallback]), ' (option 2 Choice 2, the default)')
  const [three, four, five] = others as [EventOption, EventOption, EventOption]
  assert.equal(
    choiceText([one, fallback], [one, fallback, three]),
    ' (options 1 Choice 1, 2 Choice 2; default 2)',
    'named once',
  )
  assert.equal(
    choiceText([one, three, four, fallback], [one, fallback, three, four, five]),
    ' (options 1 Choice 1, 3 Choice 3, 4 Choice 4 and 1 more; default 2 Choice 2)',
  )
  assert.equal(choiceText([one, ...others], options), ' (options 1 Choice 1, 3 Choice 3, 4 Choice 4 and 2 more)')
  assert.equal(choiceText([{ OptionId: '3' }], [one, two]), ' (option 3)')
  assert.equal(choiceText([{ OptionId: '3', OptionType: { Code: 'NOAC' } }], [one, two]), ' (option 3 NOAC)')
})

test('the description includes instrument, options, holdings and narrative', () => {
  const event = anEvent({
    Narrative: '<p>Holders may <b>tender</b>.</p><p>Terms &amp; conditions apply.</p>',
    ElectionStatus: 'PartialElected',
    Options: [
      anOption('1', 'Cash', {
        Deadline: { Date: '2026-11-28T16:00:00.000000Z' },
        MarketDeadline: { Date: '2026-11-30T00:00:00Z' },
        Payment: { Date: '2026-12-05T00:00:00Z' },
        CashMovements: [{ CashMovementType: 'Credit', Currency: 'USD', OfferPrice: 250 }],
      }),
      anOption('2', 'No action', { IsDefault: true, Payment: { Date: '9999-12-31T00:00:00Z' } }),
      anOption('3', 'Securities', {
        Payment: { Date: '2026-12-05T00:00:00Z' },
        SecurityMovements: [{ SecurityMovementType: 'Credit', ReceivedQuantity: 1, HeldQuantity: 10 }],
      }),
    ],
    Holdings: [
      aHolding('9226397', { Amount: 150, ElectedAmount: 50, Options: [{ OptionId: '1', ElectedAmount: 50 }] }),
      aHolding('9226398'),
    ],
  })
  assert.deepEqual(describe(event), [
    'Apple Inc., AAPL:xnas, ISIN US0378331005',
    'Tender Offer (TEND), Voluntary, Confirmed',
    'Option 1 Cash, offer 250 USD, deadline 2026-11-28 16:00 UTC, market deadline 2026-11-30, payment 2026-12-05',
    'Option 2 No action (default)',
    'Option 3 Securities, 1 new for 10 held, delivery 2026-12-05',
    'Account 9226397: holds 150, elected 50 for option 1',
    'Account 9226398: holds 100, elected 0',
    'Elections: partial',
    '',
    'Holders may tender.',
    'Terms & conditions apply.',
    '',
    'Event E1',
  ])
})

test('the description omits unknown facts', () => {
  const {
    DisplayAndFormat: _,
    Holdings: __,
    ...event
  } = withoutElections({ AffectedAccounts: 3, EligibleHoldings: 12.5 })
  assert.deepEqual(describe(event), [
    'Tender Offer (TEND), Voluntary, Confirmed',
    'Accounts: 3, holding 12.5 in total',
    '',
    'Event E1',
  ])
  const unknown: Event = { ...event, AffectedAccounts: 0 }
  delete unknown.EligibleHoldings
  assert.ok(describe(unknown).includes('Accounts: 0, holding 0 in total'))
  assert.ok(describe(withoutElections({ Holdings: [aHolding('A')] })).includes('Account A: holds 100'))
})

test('does not ask for elections after the deadline or after cancellation', () => {
  const electionLine = (more: Partial<Event>) => describe(anEvent(more)).find((line) => line.startsWith('Elections'))
  const by = (Date: string) => anOption('1', 'Cash', { Deadline: { Date } })
  const [past, future] = [by('2026-11-16T11:59:59.000000Z'), by('2026-11-16T12:00:00.000000Z')]
  assert.equal(electionLine({ Options: [future] }), 'Elections: none yet')
  assert.equal(electionLine({ Options: [past, future] }), 'Elections: none yet')
  assert.equal(electionLine({ Options: [] }), 'Elections: none yet')
  assert.equal(electionLine({ Options: [past] }), 'Elections: none')
  assert.equal(electionLine({ Options: [future], EventState: 'Withdrawn' }), 'Elections: none')
  assert.equal(electionLine({ Options: [future], EventState: 'Cancelled' }), 'Elections: none')
  assert.equal(electionLine({ Options: [past], ElectionStatus: 'Elected' }), 'Elections: complete')
})

test('limits the length of a description', () => {
  const many = Array.from({ length: 23 }, (_, index) => String(index))
  const event = withoutElections({
    Narrative: `${'a word or two '.repeat(100)}`,
    Options: many.map((id) => anOption(id, 'Cash')),
    Holdings: many.map((id) => aHolding(id)),
  })
  const lines = describe(event)
  assert.ok(lines.includes('and 3 more options') && lines.includes('and 3 more accounts'))
  const cash = many.map((_, index) => ({ CashMovementType: 'Credit' as const, Currency: 'USD', OfferPrice: index }))
  const rich = describe(anEvent({ Options: [anOption('1', 'Cash', { CashMovements: cash.slice(0, 8) })] }))
  assert.ok(rich.some((line) => line.endsWith(', offer 4 USD, offer 5 USD, and 2 more terms')))
  const narrative = lines.find((line) => line.startsWith('a word')) ?? ''
  assert.ok(narrative.length <= 603 && narrative.endsWith('a word or …'), narrative.slice(-30))
  const endless = describe(withoutElections({ Narrative: `${'x'.repeat(599)}\u{1F600}${'y'.repeat(90)}` }))
  assert.ok(endless.includes(`${'x'.repeat(599)} …`), 'no half of a character')
})

test('converts the HTML of a narrative to plain text', () => {
  assert.equal(plainText('One<br/>two<BR>three</li> <li>four'), 'One\ntwo\nthree\nfour')
  assert.equal(
    plainText('  5 < 6 &lt; 7 &amp;lt; &quot;x&quot; &#39;y&#39;&nbsp;z &gt; &euro;  '),
    `5 < 6 < 7 &lt; "x" 'y' z > &euro;`,
  )
  assert.equal(plainText('a \n\n \n b\t\tc <td>d</td><td>e</td>'), 'a\nb c d e')
})
