import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  accountKeys,
  clientKeys,
  event,
  eventService,
  groupKeys,
  position,
} from '../../support/events/event-service.ts'

const at = (Date: string) => ({ Date })
const unknownKey = 'AAAAAAAAAAAAAAAAAAAAAA=='
const elects = (AccountKey: string, ElectedAmount: number) => ({
  AccountKey,
  Options: [{ OptionId: '1', ElectedAmount, ElectedBy: `holder of ${AccountKey}` }],
})

const { list, ids, find, lookup, errorOf } = await eventService({
  positions: [
    position(accountKeys.ada, 1, 10),
    position(accountKeys.bo, 1, 20),
    position(accountKeys.dee, 2, 30),
    position(accountKeys.cy, 1, 40),
    position(accountKeys.cy, 3, 50),
    // cy sold stock 2 after the record date, bo bought it then, and ada's second account sold some on that day.
    position(accountKeys.cy, 2, 5, { From: '2026-01-01' }),
    position(accountKeys.cy, 2, 0, { From: '2026-11-05' }),
    position(accountKeys.bo, 2, 7, { From: '2026-11-05' }),
    position(accountKeys.ada2, 2, 8, { From: '2026-01-01' }),
    position(accountKeys.ada2, 2, 6, { From: '2026-11-04' }),
    position(accountKeys.treasury, 3, 9, { From: '2026-11-17' }),
    position(accountKeys.ada, 1, -5, { AssetType: 'CfdOnStock' }),
    position(accountKeys.bo, 1, 5, { AssetType: 'CfdOnStock' }),
  ],
  events: [
    event('shared', 1, {
      Electable: 'Electable',
      Options: [{ OptionId: '1' }],
      Holdings: [elects(accountKeys.ada, 1), elects(accountKeys.bo, 2), elects(accountKeys.cy, 4)],
    }),
    event('recorded', 2, { Record: at('2026-11-04'), EventStatus: 'Active' }),
    event('record today', 2, { Record: at('2026-11-16'), EventStatus: 'Active' }),
    event('theirs', 3),
    event('standing', 1, {
      EventType: { Code: 'DVOP' },
      EventState: 'Complete',
      Options: [{ OptionId: '1' }, { OptionId: '2' }],
      Holdings: [
        {
          AccountKey: accountKeys.ada,
          StandingInstructionStatus: 'Created',
          CashReserved: { Currency: 'DKK', Value: 5, Type: 'Percentage' },
        },
      ],
    }),
    event('both ways', 1, {
      AssetType: 'CfdOnStock',
      Electable: 'Electable',
      Options: [{ OptionId: '1' }],
      Holdings: [elects(accountKeys.ada, -5)],
    }),
  ],
})

const accountsIn = ({ Holdings }: { Holdings?: { AccountId: string; Amount: number }[] }) =>
  Holdings?.map(({ AccountId, Amount }) => [AccountId, Amount])

test('lists that are read at the same time are those that each client gets alone', async () => {
  const users = ['ada', 'bo', 'cy'] as const
  const queries = ['', 'IncludeLapsedEvents=true']
  const asked = users.flatMap((user) => queries.map((query) => [query, user] as const))
  const alone = []
  for (const [query, user] of asked) alone.push(await list(query, user))
  assert.equal(new Set(alone.map((each) => JSON.stringify(each))).size >= users.length, true)
  const rounds = await Promise.all(
    Array.from({ length: 20 }, () => Promise.all(asked.map(([query, user]) => list(query, user)))),
  )
  for (const round of rounds) assert.deepEqual(round, alone)
})

test('a client sees only its own accounts and elections of an event (operations 7, 8)', async () => {
  for (const [user, account, amount, elected] of [
    ['ada', '9226397', 10, 1],
    ['bo', '9300101', 20, 2],
    ['cy', '9400001', 40, 4],
  ] as const) {
    const listed = (await list('', user)).Data.find(({ EventId }) => EventId === 'shared')
    const found = await find('shared', '', user)
    assert.deepEqual(listed, found)
    assert.deepEqual(accountsIn(found), [[account, amount]])
    assert.deepEqual(
      found.Holdings?.map(({ ElectedAmount, ElectionStatus }) => [ElectedAmount, ElectionStatus]),
      [[elected, 'PartialElected']],
    )
    const text = JSON.stringify([await list('', user), await list('IncludeSubAccounts=false', user)])
    const foreign = { ada: ['bo', 'dee', 'cy'], bo: ['ada', 'dee', 'cy'], cy: ['ada', 'bo', 'dee'] } as const
    for (const other of foreign[user]) {
      assert.equal(text.includes(clientKeys[other]), false)
      assert.equal(text.includes(accountKeys[other]), false)
    }
  }
})

test('with IncludeSubAccounts, the totals cover the accounts of the owner and its sub-clients only (operations 7, 8)', async () => {
  const { AffectedAccounts, EligibleHoldings, ElectionStatus } = await find('shared', 'IncludeSubAccounts=true')
  assert.deepEqual([AffectedAccounts, EligibleHoldings, ElectionStatus], [2, 30, 'PartialElected'])
  const whole = await list('IncludeSubAccounts=true&SortColumn=EventId&SortType=Asc')
  assert.deepEqual(
    whole.Data.map(({ EventId, AffectedAccounts: count }) => [EventId, count]),
    [
      ['both ways', 2],
      ['record today', 3],
      ['recorded', 3],
      ['shared', 2],
    ],
  )
  assert.equal(whole.__count, 4)
})

test('an owner sees a sub-client’s events with ClientKey; a sub-client sees none of its owner’s (operations 7, 8, 9)', async () => {
  assert.deepEqual(accountsIn(await find('shared', `ClientKey=${clientKeys.bo}`)), [['9300101', 20]])
  const { Holdings } = await find('shared', `ClientKey=${clientKeys.bo}`)
  assert.deepEqual(
    [Holdings?.[0]?.ClientId, Holdings?.[0]?.ClientName, Holdings?.[0]?.OwnerId],
    ['10002', 'Bo Berg', '10001'],
  )
  assert.deepEqual(await ids(`ClientKey=${clientKeys.dee}&SortColumn=EventId`), ['recorded', 'record today'])
  const { AffectedAccounts } = await find('shared', 'IncludeSubAccounts=true', 'bo')
  assert.equal(AffectedAccounts, 1)
  assert.deepEqual((await ids('', 'cy')).includes('recorded'), true)
  assert.deepEqual((await lookup('', 'bo'))[0]?.Values.length, 1)
})

test('keys and events of other clients get the same error as unknown ones (operations 7, 8, 9)', async () => {
  const pairs: [user: string, foreign: string, unknown: string][] = [
    ['ada', `ClientKey=${clientKeys.cy}`, `ClientKey=${unknownKey}`],
    ['cy', `ClientKey=${clientKeys.ada}`, `ClientKey=${unknownKey}`],
    ['bo', `ClientKey=${clientKeys.ada}`, `ClientKey=${unknownKey}`],
    ['bo', `ClientKey=${clientKeys.dee}`, `ClientKey=${unknownKey}`],
    ['ada', `AccountKey=${accountKeys.cy}`, `AccountKey=${unknownKey}`],
    // An account of a sub-client is selected with the sub-client's ClientKey.
    ['ada', `AccountKey=${accountKeys.bo}`, `AccountKey=${unknownKey}`],
    ['ada', `AccountKey=${accountKeys.bo}&IncludeSubAccounts=true`, `AccountKey=${unknownKey}&IncludeSubAccounts=true`],
    ['bo', `AccountKey=${accountKeys.ada}`, `AccountKey=${unknownKey}`],
    ['bo', `AccountGroupKey=${groupKeys.family}`, `AccountGroupKey=${unknownKey}`],
  ]
  for (const [user, foreign, unknown] of pairs)
    for (const operation of foreign.startsWith('AccountGroup') ? ['', '/lookupdata'] : ['', '/lookupdata', '/shared']) {
      const [one, other] = [
        await errorOf(`${operation}?${foreign}`, user),
        await errorOf(`${operation}?${unknown}`, user),
      ]
      assert.deepEqual([one.status, one], [404, other])
    }
  const [foreign, unknown] = [await errorOf('/theirs'), await errorOf('/nothing')]
  assert.equal(foreign.status, 404)
  assert.equal(foreign.body.ErrorCode, 'NoResultFound')
  assert.deepEqual(foreign.body.Message.replace('theirs', ''), unknown.body.Message.replace('nothing', ''))
  assert.equal((await errorOf('/theirs?IncludeSubAccounts=true')).status, 404)
  assert.equal((await errorOf('/theirs?EventStates=Confirmed')).status, 404)
})

test('an event applies to accounts that hold it today or held it at the end of a past record date (operations 7, 8)', async () => {
  assert.deepEqual(accountsIn(await find('recorded', '', 'cy')), [['9400001', 5]])
  assert.equal((await errorOf('/record%20today', 'cy')).status, 404)
  assert.deepEqual(accountsIn(await find('recorded', '', 'bo')), [['9300101', 0]])
  assert.deepEqual(accountsIn(await find('record today', '', 'bo')), [['9300101', 7]])
  // Sold on the record date itself: the end of the day counts.
  assert.deepEqual(accountsIn(await find('recorded')), [['9226398', 6]])
  const { AffectedAccounts, EligibleHoldings } = await find('recorded', 'IncludeSubAccounts=true')
  assert.deepEqual([AffectedAccounts, EligibleHoldings], [3, 36])
})

test('a position that starts tomorrow does not count; without positions the list is empty (operations 7, 9)', async () => {
  assert.equal((await errorOf('/theirs')).status, 404)
  const treasury = await list(`AccountKey=${accountKeys.treasury}`)
  assert.deepEqual([treasury.__count, treasury.Data], [0, []])
  assert.deepEqual(
    (await lookup(`AccountKey=${accountKeys.treasury}`)).map(({ Values }) => Values),
    [[], []],
  )
})

test('short and long positions do not cancel out: elections are counted per account (operations 7, 8)', async () => {
  const { ElectionStatus, EligibleHoldings } = await find('both ways', 'IncludeSubAccounts=true')
  assert.deepEqual([ElectionStatus, EligibleHoldings], ['PartialElected', 0])
  const electedOf = async (status: string) =>
    (await ids(`AssetTypes=CfdOnStock&IncludeSubAccounts=true&ElectionStatuses=${status}`)).includes('both ways')
  assert.deepEqual([await electedOf('PartialElected'), await electedOf('Elected')], [true, false])
  // Bo may trade only stocks; the position decides.
  assert.deepEqual(accountsIn(await find('both ways', '', 'bo')), [['9300101', 5]])
  assert.equal((await find('both ways')).ElectionStatus, 'Elected')
  assert.deepEqual(await ids('AssetTypes=CfdOnStock&ElectionStatuses=Elected'), ['both ways'])
})

test('a holding has its standing instruction and owner; a client without an owner is its own', async () => {
  const [own] = (await find('standing', 'EventStates=Complete')).Holdings ?? []
  assert.deepEqual([own?.StandingInstructionStatus, own?.OwnerId], ['Created', own?.ClientId])
  assert.deepEqual(own?.CashReserved, { Currency: 'DKK', Type: 'Percentage', Value: 5 })
  const [other] = (await find('standing', 'EventStates=Complete', 'bo')).Holdings ?? []
  assert.deepEqual([other?.StandingInstructionStatus, other?.OwnerId], ['NotCreated', own?.ClientId])
  assert.notEqual(other?.ClientId, own?.ClientId)
  assert.equal((await find('shared')).Holdings?.[0]?.StandingInstructionStatus, undefined)
})
