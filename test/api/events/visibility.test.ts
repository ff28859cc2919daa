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
const nobody = 'AAAAAAAAAAAAAAAAAAAAAA=='
const elects = (AccountKey: string, ElectedAmount: number) => ({
  AccountKey,
  Options: [{ OptionId: '1', ElectedAmount, ElectedBy: `whoever holds ${AccountKey}` }],
})

const { list, ids, find, lookup, refusal } = await eventService({
  positions: [
    position(accountKeys.ada, 1, 10),
    position(accountKeys.bo, 1, 20),
    position(accountKeys.dee, 2, 30),
    position(accountKeys.cy, 1, 40),
    position(accountKeys.cy, 3, 50),
    // What was held when it counted: cy sold stock 2 after its record date, bo bought it then, dee sold some.
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
    event('both ways', 1, {
      AssetType: 'CfdOnStock',
      Electable: 'Electable',
      Options: [{ OptionId: '1' }],
      Holdings: [elects(accountKeys.ada, -5)],
    }),
  ],
})

const accountsIn = (told: { Holdings?: { AccountId: string; Amount: number }[] }) =>
  told.Holdings?.map(({ AccountId, Amount }) => [AccountId, Amount])

test('a client sees its own accounts of an event, and nobody else’s, nor their elections (operations 7, 8)', async () => {
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

test('with IncludeSubAccounts the owner’s counts are of its own and its sub-clients’ accounts alone (operations 7, 8)', async () => {
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

test('the owner sees a sub-client’s with ClientKey, as that client’s; a sub-client sees nothing of its owner’s (operations 7, 8, 9)', async () => {
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

test('what is somebody else’s is refused as what is not there (operations 7, 8, 9)', async () => {
  const pairs: [user: string, foreign: string, unknown: string][] = [
    ['ada', `ClientKey=${clientKeys.cy}`, `ClientKey=${nobody}`],
    ['cy', `ClientKey=${clientKeys.ada}`, `ClientKey=${nobody}`],
    ['bo', `ClientKey=${clientKeys.ada}`, `ClientKey=${nobody}`],
    ['bo', `ClientKey=${clientKeys.dee}`, `ClientKey=${nobody}`],
    ['ada', `AccountKey=${accountKeys.cy}`, `AccountKey=${nobody}`],
    // An account of a sub-client is the sub-client's: it is asked for with its ClientKey.
    ['ada', `AccountKey=${accountKeys.bo}`, `AccountKey=${nobody}`],
    ['ada', `AccountKey=${accountKeys.bo}&IncludeSubAccounts=true`, `AccountKey=${nobody}&IncludeSubAccounts=true`],
    ['bo', `AccountKey=${accountKeys.ada}`, `AccountKey=${nobody}`],
    ['bo', `AccountGroupKey=${groupKeys.family}`, `AccountGroupKey=${nobody}`],
  ]
  for (const [user, foreign, unknown] of pairs)
    for (const operation of foreign.startsWith('AccountGroup') ? ['', '/lookupdata'] : ['', '/lookupdata', '/shared']) {
      const [one, other] = [
        await refusal(`${operation}?${foreign}`, user),
        await refusal(`${operation}?${unknown}`, user),
      ]
      assert.deepEqual([one.status, one], [404, other])
    }
  const [foreign, unknown] = [await refusal('/theirs'), await refusal('/nothing')]
  assert.equal(foreign.status, 404)
  assert.equal(foreign.body.ErrorCode, 'NoResultFound')
  assert.deepEqual(foreign.body.Message.replace('theirs', ''), unknown.body.Message.replace('nothing', ''))
  assert.equal((await refusal('/theirs?IncludeSubAccounts=true')).status, 404)
  assert.equal((await refusal('/theirs?EventStates=Confirmed')).status, 404)
})

test('an event applies to whoever holds it today or held it at the end of a record date that is past (operations 7, 8)', async () => {
  assert.deepEqual(accountsIn(await find('recorded', '', 'cy')), [['9400001', 5]])
  assert.equal((await refusal('/record%20today', 'cy')).status, 404)
  assert.deepEqual(accountsIn(await find('recorded', '', 'bo')), [['9300101', 0]])
  assert.deepEqual(accountsIn(await find('record today', '', 'bo')), [['9300101', 7]])
  // Sold on the record date itself: what counts is its end.
  assert.deepEqual(accountsIn(await find('recorded')), [['9226398', 6]])
  const { AffectedAccounts, EligibleHoldings } = await find('recorded', 'IncludeSubAccounts=true')
  assert.deepEqual([AffectedAccounts, EligibleHoldings], [3, 36])
})

test('what will be held from tomorrow on is not held today, and without positions there is an empty list (operations 7, 9)', async () => {
  assert.equal((await refusal('/theirs')).status, 404)
  const treasury = await list(`AccountKey=${accountKeys.treasury}`)
  assert.deepEqual([treasury.__count, treasury.Data], [0, []])
  assert.deepEqual(
    (await lookup(`AccountKey=${accountKeys.treasury}`)).map(({ Values }) => Values),
    [[], []],
  )
})

test('short and long do not cancel each other: elections are counted account by account (operations 7, 8)', async () => {
  const { ElectionStatus, EligibleHoldings } = await find('both ways', 'IncludeSubAccounts=true')
  assert.deepEqual([ElectionStatus, EligibleHoldings], ['PartialElected', 0])
  const electedOf = async (status: string) =>
    (await ids(`AssetTypes=CfdOnStock&IncludeSubAccounts=true&ElectionStatuses=${status}`)).includes('both ways')
  assert.deepEqual([await electedOf('PartialElected'), await electedOf('Elected')], [true, false])
  // Bo has a right to stocks alone; what is held decides.
  assert.deepEqual(accountsIn(await find('both ways', '', 'bo')), [['9300101', 5]])
  assert.equal((await find('both ways')).ElectionStatus, 'Elected')
  assert.deepEqual(await ids('AssetTypes=CfdOnStock&ElectionStatuses=Elected'), ['both ways'])
})
