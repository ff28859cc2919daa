import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventTypes } from '../../../src/events/codes/event-types.ts'
import { accountKeys, clientKeys, eventService, groupKeys } from '../../support/events/event-service.ts'
import { events, positions } from '../../support/events/parameter-data.ts'

const { list, ids, find, lookup, rejects, errorOf, ask } = await eventService({ positions, events })
/** The default order: latest first. */
const all = ['tender', 'choice', 'dividend', 'cfd', 'rights']

test('$top limits the events: 100 by default, 1000 at most, 0 for the count only (operation 7)', async () => {
  const { Data, __count, __next, MaxRows } = await list('$top=2')
  assert.deepEqual([Data.map(({ EventId }) => EventId), __count, MaxRows], [['tender', 'choice'], 5, 1_000])
  assert.match(__next ?? '', /\/ca\/v2\/events\?\$top=2&\$skiptoken=/)
  assert.deepEqual(await list('$top=0'), { __count: 5, MaxRows: 1_000, Data: [] })
  assert.equal((await list('')).__next, undefined)
  for (const bad of ['1001', '-1', '1.5', 'ten']) await rejects(`?$top=${bad}`, '$top')
})

test('$skip skips events, also past the end; $inlinecount has no effect (operation 7)', async () => {
  assert.deepEqual(await ids('$skip=0'), all)
  const { Data, __count } = await list('$skip=3&$inlinecount=None')
  assert.deepEqual([Data.map(({ EventId }) => EventId), __count], [all.slice(3), 5])
  assert.deepEqual((await list('$skip=99')).Data, [])
  for (const bad of ['-1', 'x', '1.5']) await rejects(`?$skip=${bad}`, '$skip')
  await rejects('?$inlinecount=Some', '$inlinecount')
})

test('$skiptoken continues after the last event, takes precedence over $skip, and is rejected in another order (operation 7)', async () => {
  const { __next = '' } = await list('$top=2')
  const token = new URL(__next).searchParams.get('$skiptoken') ?? ''
  const rest = await list(`$skip=4&$skiptoken=${token}`)
  assert.deepEqual([rest.Data.map(({ EventId }) => EventId), rest.__count], [all.slice(2), 5])
  for (const bad of [`x${token}`, 'x', token.slice(0, 8)]) await rejects(`?$skiptoken=${bad}`, '$skiptoken')
  await rejects(`?$skiptoken=${token}&SortType=Asc`, '$skiptoken')
  await rejects(`?$skiptoken=${token}&SortColumn=EventId`, '$skiptoken')
})

test('ClientKey selects the caller’s client by default, or a sub-client (operations 7, 8, 9)', async () => {
  assert.deepEqual(await ids(`ClientKey=${clientKeys.ada}`), all)
  assert.deepEqual(await ids(`ClientKey=${clientKeys.dee}`), ['split'])
  assert.equal((await find('split', `ClientKey=${clientKeys.dee}`)).EventId, 'split')
  assert.equal((await ask('/split')).status, 404)
  assert.deepEqual((await lookup(`ClientKey=${clientKeys.dee}`))[0]?.Values, [
    { Code: 'SPLF', Name: 'Stock Split', Description: eventTypes.SPLF.Description },
  ])
  for (const operation of ['', '/lookupdata', '/split']) await rejects(`${operation}?ClientKey=x`, 'ClientKey')
})

test('AccountKey selects one account of the client (operations 7, 8, 9)', async () => {
  assert.deepEqual(await ids(`AccountKey=${accountKeys.ada2}`), ['choice', 'dividend', 'cfd'])
  const { Holdings, ElectionStatus } = await find('choice', `AccountKey=${accountKeys.ada2}`)
  assert.deepEqual([Holdings?.map(({ AccountId }) => AccountId), ElectionStatus], [['9226398'], 'NotElected'])
  assert.deepEqual((await lookup(`AccountKey=${accountKeys.treasury}`))[1]?.Values, [
    { Code: 'Stock', Name: 'Stock', Description: 'Stock.' },
  ])
  for (const operation of ['', '/lookupdata', '/choice']) await rejects(`${operation}?AccountKey=x`, 'AccountKey')
})

test('AccountGroupKey selects the accounts of a group; operation 8 has no such parameter (operations 7, 9)', async () => {
  assert.deepEqual(await ids(`AccountGroupKey=${groupKeys.treasury}`), ['tender', 'rights'])
  assert.deepEqual(await ids(`AccountGroupKey=${groupKeys.family}&AccountKey=${accountKeys.treasury}`), [])
  const [types] = await lookup(`AccountGroupKey=${groupKeys.treasury}`)
  assert.deepEqual(
    types?.Values.map(({ Code }) => Code),
    ['RHTS', 'TEND'],
  )
  for (const operation of ['', '/lookupdata']) await rejects(`${operation}?AccountGroupKey=x`, 'AccountGroupKey')
  assert.equal((await find('choice', 'AccountGroupKey=x')).EventId, 'choice')
})

test('IncludeSubAccounts adds the accounts of sub-clients and returns totals instead of holdings (operations 7, 8, 9)', async () => {
  assert.deepEqual(await ids('IncludeSubAccounts=true'), ['tender', 'choice', 'dividend', 'cfd', 'split', 'rights'])
  const alone = await find('dividend')
  assert.deepEqual(
    alone.Holdings?.map(({ AccountId, Amount }) => [AccountId, Amount]),
    [
      ['9226397', 100],
      ['9226398', 50],
    ],
  )
  assert.deepEqual(
    ['AffectedAccounts', 'EligibleHoldings'].filter((name) => name in alone),
    [],
  )
  const together = await find('dividend', 'IncludeSubAccounts=true')
  assert.deepEqual([together.AffectedAccounts, together.EligibleHoldings, 'Holdings' in together], [3, 157, false])
  const codes = (await lookup('IncludeSubAccounts=true'))[0]?.Values.map(({ Code }) => Code)
  assert.deepEqual(codes, ['DVCA', 'DVOP', 'RHTS', 'SPLF', 'TEND'])
  for (const operation of ['', '/lookupdata', '/choice'])
    await rejects(`${operation}?IncludeSubAccounts=yes`, 'IncludeSubAccounts')
})

test('IncludeLapsedEvents adds lapsed events (operation 7)', async () => {
  assert.deepEqual(await ids('IncludeLapsedEvents=false'), all)
  assert.deepEqual(await ids('includelapsedevents=TRUE'), [...all, 'over'])
  await rejects('?IncludeLapsedEvents=1', 'IncludeLapsedEvents')
})

const lists: [name: string, value: string, expected: string[]][] = [
  ['AssetTypes', 'CfdOnStock', ['cfd']],
  ['AssetTypes', 'cfdonstock,Stock', all],
  ['AssetTypes', 'Bond', []],
  ['CorporateActionTypes', 'Mandatory', ['dividend', 'cfd']],
  ['CorporateActionTypes', 'voluntary', ['tender', 'choice', 'rights']],
  ['ElectionStatuses', 'PartialElected', ['choice']],
  ['ElectionStatuses', 'Elected', ['rights']],
  ['ElectionStatuses', 'NotElected,Elected', ['tender', 'rights']],
  ['EventStates', 'Approved', ['choice']],
  ['EventStates', 'Preliminary,Withdrawn', ['tender', 'rights']],
  ['EventStates', 'Complete', []],
  ['EventStatus', 'Upcoming', ['tender', 'choice', 'dividend', 'cfd']],
  ['EventStatus', 'active', ['rights']],
  ['EventTypes', 'DVCA', ['dividend', 'cfd']],
  ['EventTypes', 'dvop,TEND', ['tender', 'choice']],
  ['EventTypes', 'MRGR', []],
]
test('list filters match in any case and combine with AND (operation 7)', async () => {
  for (const [name, value, expected] of lists)
    assert.deepEqual([name, value, await ids(`${name}=${value}`)], [name, value, expected])
  assert.deepEqual(await ids('EventTypes=DVCA&EventTypes=TEND'), ['tender', 'dividend', 'cfd'])
  assert.deepEqual(await ids('EventTypes=DVCA,TEND&AssetTypes=Stock&CorporateActionTypes=Mandatory'), ['dividend'])
  for (const name of new Set(lists.map(([one]) => one))) {
    for (const bad of ['Unknown', '1']) await rejects(`?${name}=${bad}`, name)
  }
  for (const name of ['AssetTypes', 'EventTypes', 'EventStates']) await rejects(`?${name}=Stock,,Nothing`, name)
  await rejects('?EventStatus=Past&EventStatus=Active', 'EventStatus')
  await rejects('/choice?EventStates=Nothing', 'EventStates')
})

test('Keywords: every word must be contained in description, ISIN or symbol, in any case (operation 7)', async () => {
  assert.deepEqual(await ids('Keywords=NOVO'), ['choice', 'dividend', 'cfd'])
  assert.deepEqual(await ids('Keywords=nestl%C3%89'), ['tender', 'rights'])
  assert.deepEqual(await ids('Keywords=b xcse dk0062'), ['choice', 'dividend', 'cfd'])
  assert.deepEqual(await ids('Keywords=novo nesn'), [])
  // A word must not span description and ISIN.
  assert.deepEqual(await ids('Keywords=bdk'), [])
  assert.deepEqual(await ids('Keywords=%25'), [])
  assert.deepEqual(await ids('Keywords='), all)
  await rejects(`?Keywords=${'x'.repeat(501)}`, 'Keywords')
  await rejects('?Keywords=a&Keywords=b', 'Keywords')
})

/** For each date filter: the date of an event, and the days before and after. */
const dates: [kind: string, day: string, before: string, after: string, id: string][] = [
  ['Ex', '2026-11-20', '2026-11-19', '2026-11-21', 'dividend'],
  ['Record', '2026-11-22', '2026-11-21', '2026-11-23', 'choice'],
  ['Deadline', '2026-12-01', '2026-11-30', '2026-12-02', 'choice'],
  ['Deadline', '2026-11-25', '2026-11-24', '2026-11-26', 'choice'],
  ['Pay', '2026-12-20', '2026-12-19', '2026-12-21', 'choice'],
  ['Pay', '2026-12-10', '2026-12-09', '2026-12-11', 'dividend'],
]
for (const kind of ['Ex', 'Record', 'Deadline', 'Pay']) {
  test(`From${kind}Date and To${kind}Date are inclusive, and either may be omitted (operation 7)`, async () => {
    for (const [, day, before, after, id] of dates.filter(([name]) => name === kind)) {
      const isIn = async (from: string, to: string) =>
        (await ids(`From${kind}Date=${from}&To${kind}Date=${to}`)).includes(id)
      assert.deepEqual([await isIn(day, day), await isIn(day, after), await isIn(before, day)], [true, true, true])
      const [from, to] = [await ids(`From${kind}Date=${day}`), await ids(`To${kind}Date=${day}`)]
      assert.deepEqual([from.includes(id), to.includes(id)], [true, true])
    }
    assert.deepEqual(await ids(`From${kind}Date=2028-01-01`), [])
    assert.deepEqual(await ids(`To${kind}Date=2025-01-01`), [])
    await rejects(`?From${kind}Date=2026-12-02&To${kind}Date=2026-12-01`, `From${kind}Date`)
    for (const bad of ['2026-13-01', '2026-02-30', '2026-11-16T25:00:00', 'today', '0000-01-01']) {
      await rejects(`?From${kind}Date=${bad}`, `From${kind}Date`)
      await rejects(`?To${kind}Date=${bad}`, `To${kind}Date`)
    }
  })
}

test('an event outside a range is not listed (operation 7)', async () => {
  assert.equal((await ids('FromExDate=2026-11-21')).includes('dividend'), false)
  assert.equal((await ids('ToExDate=2026-11-19')).includes('dividend'), false)
  assert.equal((await ids('FromRecordDate=2026-11-23')).includes('choice'), false)
  assert.equal((await ids('ToRecordDate=2026-11-21')).includes('choice'), false)
  // Both deadlines, and both payments, are outside the range, on different sides.
  assert.equal((await ids('FromDeadlineDate=2026-11-26&ToDeadlineDate=2026-11-30')).includes('choice'), false)
  assert.equal((await ids('FromPayDate=2026-12-12&ToPayDate=2026-12-19')).includes('choice'), false)
})

test('FieldGroups: values of the caller’s events, all values, and both (operation 9)', async () => {
  const groups = await lookup()
  assert.deepEqual(
    groups.map(({ FieldGroup }) => FieldGroup),
    ['EventTypes', 'AssetTypes'],
  )
  assert.deepEqual(
    groups[0]?.Values.map(({ Code }) => Code),
    ['DVCA', 'DVOP', 'RHTS', 'TEND'],
  )
  assert.deepEqual(groups[1]?.Values, [
    { Code: 'CfdOnStock', Name: 'Cfd On Stock', Description: 'Contract for difference on stock.' },
    { Code: 'Stock', Name: 'Stock', Description: 'Stock.' },
  ])
  const [everyType] = await lookup('FieldGroups=AllEventTypes')
  assert.equal(everyType?.Values.length, 73)
  assert.deepEqual(
    everyType?.Values.find(({ Code }) => Code === 'DVCA'),
    { Code: 'DVCA', Name: 'Cash Dividend', Description: 'The company pays a dividend in cash.' },
  )
  const whole = await lookup('FieldGroups=all')
  assert.deepEqual(
    whole.map(({ FieldGroup, Values }) => [FieldGroup, Values.length > 0]),
    [
      ['EventTypes', true],
      ['AssetTypes', true],
      ['AllEventTypes', true],
      ['AllAssetTypes', true],
    ],
  )
  await rejects('/lookupdata?FieldGroups=Nothing', 'FieldGroups')
  assert.deepEqual((await (await ask('/LookupData/?fieldgroups=')).json()) as object, {
    __count: 2,
    MaxRows: 4,
    Data: groups,
  })
})

test('reports all invalid parameters together, and ignores unknown ones (operation 7)', async () => {
  await rejects('?$top=x&EventStatus=x&FromExDate=x&AssetTypes=x', '$top', 'AssetTypes', 'EventStatus', 'FromExDate')
  assert.deepEqual(await ids('Colour=blue'), all)
  const { body } = await errorOf('?EventTypes=DVCA,NONE')
  assert.match(body.ModelState?.EventTypes?.[0] ?? '', /^Must be one of: ACTV, ATTI/)
})
