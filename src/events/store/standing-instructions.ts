import { sql } from 'kysely'
import type { Db, Trx } from '../../database/open.ts'

export type StandingInstruction = Readonly<{
  id: string
  accountId: string
  clientId: string
  uic: number
  assetType: string
  optionType: string
  createdAt: Temporal.Instant
  description: string | null
  isin: string | null
  symbol: string | null
}>

/** The clients whose accounts a caller asks for: one, or also those below it. */
const clients = (clientKey: string, includesSubClients: boolean) => sql`clients as (
    select client_key, client_id from client where client_key = ${clientKey}
    union select c.client_key, c.client_id from clients join client c on c.owner_client_key = clients.client_key
    where ${includesSubClients})`

export async function listInstructions(
  db: Db,
  clientKey: string,
  includesSubClients: boolean,
  limit: number,
): Promise<StandingInstruction[]> {
  const { rows } = await sql<StandingInstruction>`
    with recursive ${clients(clientKey, includesSubClients)}
    select s.standing_instruction_id as id, a.account_id as "accountId", c.client_id as "clientId", s.uic,
      s.asset_type as "assetType", s.option_type as "optionType", s.created_at as "createdAt",
      i.description, i.isin, i.symbol
    from clients c join account a using (client_key) join standing_instruction s on s.account_key = a.account_key and s.ended_at is null
      left join instrument i on i.uic = s.uic
    order by a.account_id collate "C", s.uic, s.asset_type collate "C" limit ${limit}`.execute(db)
  return rows
}

export type NewInstruction = Readonly<{
  id: string
  accountKey: string
  uic: number
  assetType: string
  optionType: string
  createdAt: Temporal.Instant
}>

/** Locks those of these accounts that the client has, in the same order for all callers, so that none waits for another in a
 *  circle. Returns their ids by key. */
export async function lockAccounts(
  trx: Trx,
  clientKey: string,
  accountKeys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const accounts = await trx
    .selectFrom('account')
    .select(['account_key', 'account_id'])
    .where('account_key', 'in', accountKeys)
    .where('client_key', '=', clientKey)
    .orderBy('account_key')
    .forNoKeyUpdate()
    .execute()
  return new Map(accounts.map(({ account_key, account_id }) => [account_key, account_id]))
}

/** Replaces the instruction of an account for an instrument. The account must be locked. */
export async function writeInstruction(trx: Trx, instruction: NewInstruction): Promise<void> {
  const { id, accountKey, uic, assetType, optionType, createdAt } = instruction
  const created_at = createdAt.toString()
  await trx
    .updateTable('standing_instruction')
    .set({ ended_at: created_at })
    .where('account_key', '=', accountKey)
    .where('uic', '=', uic)
    .where('asset_type', '=', assetType)
    .where('ended_at', 'is', null)
    .execute()
  await forgetOld(trx, instruction)
  const row = { account_key: accountKey, uic, asset_type: assetType, option_type: optionType, created_at }
  await trx
    .insertInto('standing_instruction')
    .values({ standing_instruction_id: id, ...row })
    .execute()
}

const maxEnded = 100

/** Only so many that have ended are kept of one account and instrument. */
async function forgetOld(trx: Trx, { accountKey, uic, assetType }: NewInstruction): Promise<void> {
  await sql`delete from standing_instruction where standing_instruction_id in (
    select standing_instruction_id from standing_instruction
    where account_key = ${accountKey} and uic = ${uic} and asset_type = ${assetType} and ended_at is not null
    order by ended_at desc offset ${maxEnded})`.execute(trx)
}

/** Ends instructions of a client. Returns the ids of those that were in force. */
export async function endInstructions(
  trx: Trx,
  clientKey: string,
  ids: readonly string[],
  now: Temporal.Instant,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update standing_instruction s set ended_at = ${now.toString()}::timestamptz from account a
    where a.account_key = s.account_key and a.client_key = ${clientKey} and s.standing_instruction_id = any(${ids}::text[])
      and s.ended_at is null
    returning s.standing_instruction_id as id`.execute(trx)
  return rows.map(({ id }) => id)
}
