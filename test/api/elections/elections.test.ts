import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Event, Holding } from '../../../src/events/api/schema.ts'
import type { EventOptionRecord } from '../../../src/events/import/schema.ts'
import type { FixedClock } from '../../support/clock.ts'
import { Holder, offer } from '../../support/events/electing.ts'
import { accountKeys, event, eventService, importRecords, position } from '../../support/events/event-service.ts'
import { exportText, importTexts } from '../../support/service/import.ts'

const rights: EventOptionRecord = {
  OptionId: '1',
  OptionType: { Code: 'EXER' },
  Deadline: { Date: '2026-11-17' },
  CashRequired: true,
  MinExercisableMultipleQuantity: 7,
  CashMovements: [{ CashMovementType: 'Debit', Currency: 'DKK', SubscriptionPrice: 66.6 }],
  SecurityMovements: [{ SecurityMovementType: 'Credit', NewQuantity: 15, OldQuantity: 7 }],
}

const { service, find, list } = await eventService({
  env: { ACCESS_TOKEN_SECONDS: '86400' },
  positions: [
    position(accountKeys.ada, 1, 100),
    position(accountKeys.ada2, 1, 50),
    position(accountKeys.bo, 1, 20),
    position(accountKeys.cy, 1, 40),
    position(accountKeys.ada, 2, 1000),
  ],
  events: [
    offer('offer', 1),
    offer('changed', 1),
    offer('cancelled', 1, { EventState: 'Cancelled' }),
    offer('withdrawn', 1, { EventState: 'Withdrawn' }),
    offer('kept', 1),
    offer('replaced', 1),
    event('dividend', 1),
    offer('others', 3),
    offer('rights', 2, {
      EventType: { Code: 'RHTS' },
      Options: [
        rights,
        { OptionId: '2', OptionType: { Code: 'LAPS' }, IsDefault: true, Deadline: { Date: '2026-11-17' } },
      ],
    }),
  ],
})
const ada = await Holder.signIn(service, 'ada')
const cy = await Holder.signIn(service, 'cy')

const holdingOf = ({ Holdings = [] }: Event, key: string) => Holdings.find(({ AccountKey }) => AccountKey === key)
const electedOf = (holding: Holding | undefined) =>
  holding?.Options?.map(({ OptionId, ElectedAmount, ElectionType }) => [OptionId, ElectedAmount, ElectionType])

test('an election shows at once in the event, the list and the holdings', async () => {
  const { status } = await ada.elect('offer', accountKeys.ada, [['1', 60, 'As agreed.']])
  assert.equal(status, 202)
  const found = await find('offer')
  assert.equal(found.ElectionStatus, 'PartialElected')
  assert.deepEqual(holdingOf(found, accountKeys.ada)?.Options, [
    {
      OptionId: '1',
      ElectedAmount: 60,
      ElectedBy: 'ada',
      ElectionType: 'Manual',
      Instruction: { Status: 'Accepted' },
      Remarks: 'As agreed.',
    },
  ])
  const listed = (await list('ElectionStatuses=PartialElected')).Data.map(({ EventId }) => EventId)
  assert.deepEqual(listed, ['offer'])
  const { body } = await ada.get<{ Data: Holding[]; __count: number }>(
    `/ca/v2/holdings?EventId=offer&AccountKey=${encodeURIComponent(accountKeys.ada)}`,
  )
  assert.deepEqual([body.__count, body.Data], [1, [holdingOf(found, accountKeys.ada)]])
})

test('an election replaces the one before, and an empty one withdraws it', async () => {
  const elected = async () => electedOf(holdingOf(await find('changed'), accountKeys.ada))
  assert.equal((await ada.elect('changed', accountKeys.ada, [['1', 60]])).status, 202)
  const both = await ada.elect('changed', accountKeys.ada, [
    ['1', 30],
    ['2', 70],
  ])
  assert.equal(both.status, 202)
  assert.deepEqual(await elected(), [
    ['1', 30, 'Manual'],
    ['2', 70, 'Manual'],
  ])
  assert.equal((await ada.elect('changed', accountKeys.ada, [])).status, 202)
  assert.deepEqual((await find('changed')).ElectionStatus, 'NotElected')
})

test('the owner of a client elects for its accounts', async () => {
  assert.equal((await ada.elect('offer', accountKeys.bo, [['1', 20]])).status, 202)
  assert.deepEqual(electedOf(holdingOf(await find('offer', '', 'bo'), accountKeys.bo)), [['1', 20, 'Manual']])
})

test('accounts and events of others are not found, and look like unknown ones', async () => {
  const unknown = await ada.elect('offer', 'AAAAAAAAAAAAAAAAAAAAAA==', [['1', 1]])
  assert.equal(unknown.status, 404)
  for (const id of ['offer', 'no such event', 'cancelled'])
    assert.deepEqual(await ada.elect(id, accountKeys.cy, [['1', 1]]), unknown)
  for (const id of ['others', 'cancelled', 'no such event'])
    assert.equal((await ada.elect(id, accountKeys.ada, [['1', 1]])).body?.Message.includes(id), true)
  assert.equal((await cy.elect('rights', accountKeys.cy, [['1', 7]])).status, 404)
})

test('holdings of an account or event of others are not found, and look like those of an unknown one', async () => {
  const holdings = async (query: Record<string, string>) => {
    const { status, body } = await ada.get<{ Message: string }>(`/ca/v2/holdings?${new URLSearchParams(query)}`)
    return { status, message: body.Message }
  }
  const unknownAccount = await holdings({ AccountKey: 'AAAAAAAAAAAAAAAAAAAAAA==' })
  assert.equal(unknownAccount.status, 404)
  assert.deepEqual(await holdings({ AccountKey: accountKeys.cy }), unknownAccount)
  const unknownEvent = await holdings({ EventId: 'no such event' })
  assert.equal(unknownEvent.status, 404)
  const { status, message } = await holdings({ EventId: 'others' })
  assert.deepEqual([status, message.replace('others', 'no such event')], [404, unknownEvent.message])
})

test('an event that takes no elections is 409 and says why', async () => {
  for (const [id, reason] of [
    ['dividend', /^There is nothing to elect for this event\.$/],
    ['withdrawn', /withdrawn/],
  ] as const) {
    const { status, body } = await ada.elect(id, accountKeys.ada, [['1', 1]])
    assert.deepEqual([status, body?.ErrorCode], [409, 'NotElectable'])
    assert.match(body?.Message ?? '', reason)
  }
})

test('all or nothing: an election with an error changes nothing and names the fields', async () => {
  const before = await find('rights')
  for (const [choices, fields] of [
    [[['1', 10]], ['Options[0].Amount']],
    [[['1', 1002]], ['Options', 'Options[0].Amount']],
    [
      [
        ['1', 7],
        ['9', 7],
      ],
      ['Options[1].OptionId'],
    ],
  ] as const) {
    const { status, body } = await ada.elect('rights', accountKeys.ada, choices)
    assert.deepEqual([status, Object.keys(body?.ModelState ?? {}).sort()], [400, [...fields].sort()])
  }
  for (const body of [{}, { EventId: 'rights', AccountKey: accountKeys.ada, Options: [{ OptionId: '1' }] }])
    assert.equal((await ada.send(body)).status, 400)
  assert.deepEqual(await find('rights'), before)
})

test('elections of options that cost cash reserve it', async () => {
  assert.equal((await ada.elect('rights', accountKeys.ada, [['1', 280]])).status, 202)
  const { CashReserved } = holdingOf(await find('rights'), accountKeys.ada) ?? {}
  assert.deepEqual(CashReserved, { Currency: 'DKK', Value: 39960, Type: 'Actual' })
})

test('If-Match: only what was read is changed', async () => {
  const address = `/ca/v2/holdings?EventId=kept&AccountKey=${encodeURIComponent(accountKeys.ada2)}`
  const { etag } = await ada.get(address)
  assert.ok(etag)
  const first = await ada.elect('kept', accountKeys.ada2, [['1', 10]], etag)
  assert.equal(first.status, 202)
  assert.equal(first.etag, (await ada.get(address)).etag)
  assert.equal((await ada.elect('kept', accountKeys.ada2, [['1', 20]], etag)).status, 412)
  assert.equal((await ada.elect('kept', accountKeys.ada2, [['1', 20]], first.etag ?? '')).status, 202)
})

test('an event record without Holdings keeps what users elected; one with Holdings replaces it', async () => {
  for (const id of ['kept', 'replaced']) await ada.elect(id, accountKeys.ada, [['1', 10]])
  const Holdings = [{ AccountKey: accountKeys.ada, Options: [{ OptionId: '2', ElectedAmount: 5 }] }]
  const changed = { Narrative: 'Changed.' }
  await importRecords(service, [
    { kind: 'event', ...offer('kept', 1, changed) },
    { kind: 'event', ...offer('replaced', 1, { ...changed, Holdings }) },
  ])
  const elected = async (id: string) => electedOf(holdingOf(await find(id), accountKeys.ada))
  assert.deepEqual(await elected('kept'), [['1', 10, 'Manual']])
  assert.deepEqual(await elected('replaced'), [['2', 5, undefined]])
})

test('half a character in remarks does not make the event unreadable for imports', async () => {
  assert.equal((await ada.elect('changed', accountKeys.ada, [['1', 5, 'half \ud83d']])).status, 202)
  const { rows } = await sql<{ remarks: string }>`
    select o ->> 'Remarks' as remarks from event_holding, json_array_elements(document -> 'Options') o
    where event_id = 'changed'`.execute(service.node.context.db)
  assert.deepEqual(rows, [{ remarks: 'half \ufffd' }])
})

test('an export that is imported again changes nothing, and what users made stays theirs', async () => {
  assert.equal((await ada.elect('kept', accountKeys.ada2, [])).status, 202)
  const text = await exportText(service.database.connection, ['event'])
  const imported = await importTexts(service.database.connection, { 'events.ndjson': text })
  assert.deepEqual([imported.errors, imported.counts], [[], { event: { unchanged: 9 } }])
  const Holdings = [
    { AccountKey: accountKeys.ada2 },
    { AccountKey: accountKeys.ada, Options: holdingOf(await find('kept'), accountKeys.ada)?.Options },
  ]
  await importRecords(service, [{ kind: 'event', ...offer('kept', 1), Holdings }])
  await importRecords(service, [{ kind: 'event', ...offer('kept', 1, { Narrative: 'Again.' }) }])
  assert.deepEqual(electedOf(holdingOf(await find('kept'), accountKeys.ada)), [['1', 10, 'Manual']])
})

test('after the deadline nothing changes, and the rest of the holding has the default option', async () => {
  const clock = service.clock as FixedClock
  clock.advance(6 * 3_600)
  assert.equal((await ada.elect('offer', accountKeys.ada, [['1', 61]])).status, 202)
  clock.advance(1)
  const { status, body } = await ada.elect('offer', accountKeys.ada, [['1', 62]])
  assert.deepEqual([status, body?.ErrorCode], [409, 'NotElectable'])
  const found = await find('offer')
  assert.equal(found.ElectionStatus, 'Elected')
  assert.deepEqual(electedOf(holdingOf(found, accountKeys.ada)), [
    ['1', 61, 'Manual'],
    ['2', 39, 'Auto'],
  ])
  assert.equal((await find('offer', 'IncludeSubAccounts=true')).ElectionStatus, 'Elected')
  clock.advance(-6 * 3_600)
  assert.equal((await find('offer')).ElectionStatus, 'PartialElected')
})
