import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Event } from '../../../src/events/api/schema.ts'
import type { FixedClock } from '../../support/clock.ts'
import { Holder, offer } from '../../support/events/electing.ts'
import { accountKeys, clientKeys, eventService, position } from '../../support/events/event-service.ts'
import { eventually } from '../../support/eventually.ts'

const deadline = { Date: '2026-11-16T18:00:00Z' }
const dividend = (id: string) =>
  offer(id, 1, {
    EventType: { Code: 'DVOP' },
    Options: [
      { OptionId: '1', OptionType: { Code: 'CASH' }, IsDefault: true, Deadline: deadline },
      { OptionId: '2', OptionType: { Code: 'SECU' }, Deadline: deadline },
    ],
  })
const { service, find } = await eventService({
  env: { ACCESS_TOKEN_SECONDS: '86400' },
  positions: [position(accountKeys.ada, 1, 100), position(accountKeys.ada2, 1, 50), position(accountKeys.bo, 1, 20)],
  events: [dividend('dividend'), offer('offer', 1)],
})
const ada = await Holder.signIn(service, 'ada')
const bo = await Holder.signIn(service, 'bo')
const cy = await Holder.signIn(service, 'cy')
const details = '/ref/v1/instruments/details/1'
await eventually(async () => (await ada.get(`${details}/Stock`)).status === 200 || undefined)
const path = '/ca/v2/standinginstructions'

type Row = {
  AccountId?: string
  AssetType: string
  Uic: number
  OptionType: string
  StandingInstructionId?: string
  ErrorCode?: string
  DisplayAndFormat?: { Symbol: string }
}
const give = (AccountKey: string, more: object = {}) => ({
  AccountKey,
  AssetType: 'Stock',
  Uic: 1,
  OptionType: 'SECU',
  ...more,
})
const post = (holder: Holder, ...StandingInstructions: object[]) =>
  holder.call<{ Data: Row[] }>('POST', path, { StandingInstructions })
const listed = async (query = '') => (await ada.get<{ Data: Row[] }>(`${path}${query}`)).body.Data
const statusOf = async (key: string) =>
  (await find('dividend')).Holdings?.find(({ AccountKey }) => AccountKey === key)?.StandingInstructionStatus

test('an instruction that fails does not stop the others, and a new one replaces the one before', async () => {
  assert.equal(await statusOf(accountKeys.ada), 'NotCreated')
  const { status, body } = await post(
    ada,
    give(accountKeys.ada, { OptionType: 'CASH' }),
    give(accountKeys.ada),
    give(accountKeys.cy),
    give(accountKeys.ada, { Uic: 99 }),
    give(accountKeys.bo),
  )
  assert.equal(status, 201)
  assert.deepEqual(
    body.Data.map(({ AccountId, ErrorCode }) => AccountId ?? ErrorCode),
    ['9226397', '9226397', 'NoResultFound', 'NoResultFound', 'NoResultFound'],
  )
  assert.deepEqual(await listed(), [
    {
      AccountDisplayName: '9226397',
      AccountId: '9226397',
      ClientId: '10001',
      AssetType: 'Stock',
      OptionType: 'SECU',
      Uic: 1,
      CreatedDate: '2026-11-16',
      DisplayAndFormat: { Description: 'Novo Nordisk B', IsinCode: 'DK0062498333', Symbol: 'NOVOb:xcse' },
      StandingInstructionId: body.Data[1]?.StandingInstructionId,
    },
  ])
  assert.equal(await statusOf(accountKeys.ada), 'Created')
  assert.equal(await statusOf(accountKeys.ada2), 'NotCreated')
})

test('those of sub-clients are given and listed with their client; those of others are not', async () => {
  const ofBo = { ClientKey: clientKeys.bo, StandingInstructions: [give(accountKeys.bo)] }
  assert.equal((await ada.call('POST', path, ofBo)).status, 201)
  assert.equal((await listed()).length, 1)
  assert.deepEqual(
    (await listed('?IncludeSubAccounts=true')).map(({ AccountId }) => AccountId),
    ['9226397', '9300101'],
  )
  assert.equal((await cy.call('POST', path, ofBo)).status, 404)
  assert.equal((await cy.get(`${path}?ClientKey=${encodeURIComponent(clientKeys.ada)}`)).status, 404)
})

test('an instrument that the caller may not see looks like an unknown one, and its name is not listed', async () => {
  assert.deepEqual(
    [(await bo.get(`${details}/Stock`)).status, (await bo.get(`${details}/CfdOnStock`)).status],
    [200, 404],
  )
  const invisible = give(accountKeys.bo, { AssetType: 'CfdOnStock' })
  const { body } = await post(bo, invisible, { ...invisible, Uic: 99 })
  const [hidden, unknown] = body.Data
  assert.equal(unknown?.ErrorCode, 'NoResultFound')
  assert.deepEqual({ ...hidden, Uic: 99 }, unknown)
  const ofBo = { ClientKey: clientKeys.bo, StandingInstructions: [invisible] }
  assert.deepEqual((await ada.call<{ Data: Row[] }>('POST', path, ofBo)).body.Data, [hidden], 'by the rights of bo')
  const { db } = service.node.context
  await sql`insert into standing_instruction (standing_instruction_id, account_key, uic, asset_type, option_type, created_at)
    values ('before the right ended', ${accountKeys.bo}, 1, 'CfdOnStock', 'SECU', '2026-11-16')`.execute(db)
  const seen = (await bo.get<{ Data: Row[] }>(path)).body.Data
  assert.deepEqual(
    seen.map(({ AssetType, DisplayAndFormat }) => [AssetType, DisplayAndFormat?.Symbol]),
    [
      ['CfdOnStock', undefined],
      ['Stock', 'NOVOb:xcse'],
    ],
  )
})

test('at the deadline the option that it asks for is applied, of dividends only', async () => {
  const clock = service.clock as FixedClock
  clock.advance(6 * 3_600 + 1)
  const options = async (id: string) => (await find(id)).Holdings?.map(optionIds)
  assert.deepEqual(await options('dividend'), [['2'], ['1']])
  assert.deepEqual(await options('offer'), [['2'], ['2']])
  const [one] = await listed()
  const query = `ClientKey=${encodeURIComponent(clientKeys.ada)}&StandingInstructionIds=${one?.StandingInstructionId}`
  assert.equal((await ada.call('DELETE', `${path}?${query},unknown`)).status, 404)
  assert.equal((await listed()).length, 1)
  assert.equal((await ada.call('DELETE', `${path}?${query}`)).status, 200)
  assert.deepEqual(await listed(), [])
  assert.equal(await statusOf(accountKeys.ada), 'NotCreated')
  assert.deepEqual(await options('dividend'), [['2'], ['1']], 'what was applied stays')
})

test('instructions for the same accounts in different orders do not stop each other', async () => {
  const { db } = service.node.context
  const keys = [accountKeys.ada, accountKeys.ada2]
  const [, ...answers] = await db.transaction().execute(async (trx) => {
    await sql`select from account where account_key = any(${keys}) for update`.execute(trx)
    const posting = [keys, keys.toReversed()].map((order) => post(ada, ...order.map((key) => give(key))))
    await eventually(async () => {
      const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
        and datname = current_database()`.execute(db)
      return rows.length >= 2 || undefined
    })
    return [true, ...posting] as const
  })
  for (const answer of answers) {
    const { status, body } = await answer
    assert.equal(status, 201)
    assert.deepEqual(
      body.Data.map(({ ErrorCode }) => ErrorCode),
      [undefined, undefined],
    )
  }
})

test('only the last 100 that have ended are kept of an account and instrument', async () => {
  const { db } = service.node.context
  const { body } = await post(ada, ...Array.from({ length: 150 }, () => give(accountKeys.ada2)))
  assert.equal(body.Data.filter(({ ErrorCode }) => ErrorCode === undefined).length, 150)
  const { rows } = await sql<{ ended: number; all: number }>`
    select count(ended_at)::int as ended, count(*)::int as all from standing_instruction
    where account_key = ${accountKeys.ada2}`.execute(db)
  assert.deepEqual(rows, [{ ended: 100, all: 101 }])
  assert.equal((await listed()).at(-1)?.StandingInstructionId, body.Data.at(-1)?.StandingInstructionId)
})

const optionIds = ({ Options }: NonNullable<Event['Holdings']>[number]) => Options?.map(({ OptionId }) => OptionId)
