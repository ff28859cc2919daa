import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { requireMoment } from '../../src/database/history/moments.ts'
import { Holder } from '../support/events/electing.ts'
import { accountKeys, eventService } from '../support/events/event-service.ts'
import { type AnyKind, AnyRecords, anyCalendar } from '../support/reference/any-records.ts'
import { isLongRun } from '../support/runner/long-tests.ts'
import { event, exchange, importTexts, instrument, lines, position } from '../support/service/import.ts'
import { startService } from '../support/service/service.ts'
import { getRest } from '../support/sign-in.ts'

const { service } = await eventService({ env: { ACCESS_TOKEN_SECONDS: '86400', ELECTIONS: 'accept' } })
const { db } = service.node.context
const [ada, bo] = [await Holder.signIn(service, 'ada'), await Holder.signIn(service, 'bo')]

/** Requests of operations 1 to 9. */
const requests = [
  '/ref/v1/instruments?$top=4&$inlinecount=AllPages&IncludeNonTradable=true',
  '/ref/v1/instruments?Keywords=al',
  '/ref/v1/instruments?Keywords=gamma%20al',
  '/ref/v1/instruments?Keywords=aplha',
  '/ref/v1/instruments?Keywords=options&AssetTypes=StockOption',
  '/ref/v1/instruments?ExchangeId=PAR&OneWeekTotalValueChangesFrom=-5',
  '/ref/v1/instruments/details?$top=3',
  '/ref/v1/instruments/details?Uics=1,2,51,202&FieldGroups=OrderSetting,TradingSessions',
  '/ref/v1/instruments/details/1/Stock?FieldGroups=TradingSessions,MarketData',
  '/ref/v1/instruments/details/55/Stock',
  '/ref/v1/instruments/details/202/ContractFutures',
  '/ref/v1/instruments/contractoptionspaces/1?OptionSpaceSegment=AllDates',
  '/ref/v1/instruments/contractoptionspaces/2',
  '/ref/v1/instruments/futuresspaces/200',
  '/ref/v1/instruments/tradingschedule/2/Stock',
  '/ref/v1/instruments/tradingschedule/201/ContractFutures',
  '/ca/v2/events?$top=4',
  '/ca/v2/events?IncludeSubAccounts=true&SortColumn=EligibleHoldings',
  '/ca/v2/events?Keywords=alpha&IncludeLapsedEvents=true',
  '/ca/v2/events?ElectionStatuses=Elected,PartialElected',
  '/ca/v2/events/e1',
  '/ca/v2/events/e2?IncludeSubAccounts=true',
  '/ca/v2/events/e3?EventStates=Cancelled,Confirmed',
  `/ca/v2/events?AccountKey=${accountKeys.ada}`,
  '/ca/v2/events/lookupdata',
]

type Recorded = Readonly<{ moment: string; path: string; holder: Holder; answer: string }>

const answerOf = async (baseUrl: string, { token }: Holder, path: string): Promise<string> => {
  const response = await getRest(baseUrl, path, token)
  return `${response.status} ${await response.text()}`
}

async function recordAll(): Promise<Recorded[]> {
  const all: Recorded[] = []
  for (const holder of [ada, bo])
    for (const path of requests)
      all.push({ moment: '', path, holder, answer: await answerOf(service.baseUrl, holder, path) })
  const { rows } = await sql<{ now: Temporal.Instant }>`select clock_timestamp() as now`.execute(db)
  return all.map((one) => ({ ...one, moment: rows[0]?.now.toString() ?? '' }))
}

async function load(records: object[]): Promise<void> {
  const { errors } = await importTexts(service.database.connection, { 'f.ndjson': lines(...records) })
  assert.deepEqual(errors, [])
  const state = db.selectFrom('reference_data').select('revision')
  await service.node.catalogue.reached((await state.executeTakeFirstOrThrow()).revision)
}

/** Whatever ada and bo may elect and instruct just now. */
async function actAsUsers(any: AnyRecords): Promise<void> {
  const [holder, account] = any.oneOf([ada, accountKeys.ada] as const, [bo, accountKeys.bo] as const)
  await holder.elect(`e${1 + any.upTo(6)}`, account, [['1', any.upTo(10)]])
  const standing = {
    AccountKey: account,
    AssetType: 'Stock',
    Uic: 1 + any.upTo(3),
    OptionType: any.oneOf('CASH', 'SECU'),
  }
  const path = '/ca/v2/standinginstructions'
  await holder.call('POST', path, { StandingInstructions: [standing] })
  const { body } = await holder.get<{ Data: { StandingInstructionId: string }[] }>(path)
  const [first] = body.Data
  if (first && any.upTo(3) === 0)
    await holder.call('DELETE', `${path}?StandingInstructionIds=${first.StandingInstructionId}`)
}

/** Without the parameter in links. */
const withoutMoment = (answer: string): string =>
  answer.replaceAll(/[?&]AsOf=[^&"]*(?=&)/g, (found) => (found[0] === '?' ? '?' : '')).replaceAll('?&', '?')

async function requireSame(baseUrl: string, recorded: readonly Recorded[]): Promise<void> {
  for (const { moment, path, holder, answer } of recorded) {
    const mark = path.includes('?') ? '&' : '?'
    const again = await answerOf(baseUrl, holder, `${path}${mark}AsOf=${moment}`)
    assert.equal(withoutMoment(again), answer, `${path} as of ${moment}`)
  }
}

const kinds: readonly (readonly AnyKind[])[] = [
  ['instrument', 'future', 'optionRoot'],
  ['event'],
  ['event', 'position'],
  ['position'],
  ['event', 'instrument', 'position', 'exchange', 'calendar'],
  ['calendar', 'exchange'],
]

/** In a short run each selection of kinds once. */
const rounds = isLongRun ? 12 : kinds.length

test('an answer as of a moment is the one that was given then, on every node', async () => {
  const any = new AnyRecords(20261118)
  const hours = [{ Days: ['Mon'], Start: '08:00', End: '16:30' }]
  const continuous = { DisplayHint: 'Continuous', As: [{ AssetType: 'ContractFutures' }] }
  const held = [accountKeys.ada, accountKeys.bo].flatMap((key) => [1, 2, 3].map((uic) => position(key, uic, 100)))
  // These never change, but the names of their instruments do.
  const events = [1, 2, 3].map((uic) => event(`fixed${uic}`, uic, { Ex: { Date: '2026-11-16' } }))
  await load([
    anyCalendar(hours, []),
    { ...exchange, ExchangeId: 'PAR' },
    instrument(200, continuous),
    ...held,
    ...events,
  ])
  const recorded: Recorded[][] = []
  for (let round = 0; round < rounds; round++) {
    await load(any.some(kinds[round % kinds.length] ?? [], 3 + any.upTo(12)))
    await actAsUsers(any)
    recorded.push(await recordAll())
    // A moment may differ from the next one only in what users did.
    await actAsUsers(any)
  }
  const answers = new Set(recorded.flat().map(({ path, answer }) => `${path} ${answer}`))
  assert.ok(answers.size > 2 * requests.length, String(answers.size))

  for (const one of recorded.toReversed()) await requireSame(service.baseUrl, one)
  await using second = await otherNode()
  for (const one of recorded.filter((_, index) => index % 2 === 0)) await requireSame(second.baseUrl, one)
})

test('an election that an import replaces is that of before the import until then', async () => {
  const ids = Array.from({ length: 60 }, (_, at) => `many-${at}`)
  const elected = (amount: number) =>
    ids.map((id) => ({
      ...event(id, 1, { Ex: { Date: '2026-11-16' } }),
      Holdings: [{ AccountKey: accountKeys.ada, Options: [{ OptionId: '1', ElectedAmount: amount }] }],
      Options: [{ OptionId: '1' }, { OptionId: '2' }],
    }))
  await load([position(accountKeys.ada, 1, 100), ...elected(5)])
  const { revision } = await db.selectFrom('event_data').select('revision').executeTakeFirstOrThrow()
  const { seq, at } = await requireMoment(db, String(revision), 'events')
  await load(elected(6))

  const { rows } = await sql<{ amount: number; count: number }>`
    select elected_amount::int as amount, count(*)::int as count from elections_at(${accountKeys.ada}, ${seq}, ${at})
    where event_id like 'many-%' group by 1`.execute(db)
  assert.deepEqual(rows, [{ amount: 5, count: ids.length }])
})

/** One that has just been started. */
async function otherNode() {
  const started = await startService({ besides: service })
  return { baseUrl: started.baseUrl, [Symbol.asyncDispose]: () => started.close() }
}
