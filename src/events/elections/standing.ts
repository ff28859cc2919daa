import type { FastifyRequest } from 'fastify'
import { callerOf, writerOf } from '../../access/caller.ts'
import { type AuditKind, appendAudit } from '../../audit/append.ts'
import type { MaybePromise } from '../../core/async/maybe-promise.ts'
import type { Caller } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import { randomHex } from '../../core/crypto/keys.ts'
import { notFound, type Problem } from '../../core/problem.ts'
import type { Db, Trx } from '../../database/open.ts'
import { requireScope, scopeOf } from '../api/list.ts'
import { findScope } from '../store/scope.ts'
import {
  endInstructions,
  listInstructions,
  lockAccounts,
  type StandingInstruction,
  writeInstruction,
} from '../store/standing-instructions.ts'
import { notAccepted } from './elect.ts'
import { type CreatedInstruction, type Instruction, maxInstructions, type NewInstructions } from './schema.ts'

export type IsVisible = (uic: number, assetType: string) => boolean

export type StandingDependencies = Readonly<{
  db: Db
  clock: Clock
  isAccepted: boolean
  /** The instruments that the caller may see with the rights of a client, as in instrument details. */
  visibleTo: (caller: Caller, clientKey: string) => MaybePromise<IsVisible>
}>

type ClientQuery = Readonly<{ ClientKey?: string | undefined; IncludeSubAccounts?: boolean }>

/** The client that a caller asks for, if it is theirs. */
async function clientOf(db: Db, caller: Caller, { ClientKey }: ClientQuery): Promise<string> {
  const scope = scopeOf(caller, { ...(ClientKey !== undefined && { ClientKey }), IncludeSubAccounts: false })
  requireScope(await findScope(db, scope))
  return scope.clientKey
}

export async function readStanding(
  { db, visibleTo }: StandingDependencies,
  request: FastifyRequest,
  query: ClientQuery,
) {
  const caller = callerOf(request)
  const clientKey = await clientOf(db, caller, query)
  const found = await listInstructions(db, clientKey, query.IncludeSubAccounts === true, maxInstructions)
  const isVisible = await visibleTo(caller, clientKey)
  return found.map((each) => instructionView(each, isVisible))
}

/** An instrument that the caller may not see has no name, like one that no longer exists. */
function instructionView(
  { description, isin, symbol, ...given }: StandingInstruction,
  isVisible: IsVisible,
): Instruction {
  return {
    AccountDisplayName: given.accountId,
    AccountId: given.accountId,
    ClientId: given.clientId,
    AssetType: given.assetType as Instruction['AssetType'],
    OptionType: given.optionType as Instruction['OptionType'],
    Uic: given.uic,
    CreatedDate: dayOf(given.createdAt),
    ...(description !== null &&
      isVisible(given.uic, given.assetType) && {
        DisplayAndFormat: {
          Description: description,
          ...(isin !== null && { IsinCode: isin }),
          ...(symbol !== null && { Symbol: symbol }),
        },
      }),
    StandingInstructionId: given.id,
  }
}

const dayOf = (instant: Temporal.Instant): string => instant.toZonedDateTimeISO('UTC').toPlainDate().toString()

/** A row that fails does not stop the others. */
export async function addStanding(
  deps: StandingDependencies,
  request: FastifyRequest,
  { ClientKey, StandingInstructions }: NewInstructions,
): Promise<CreatedInstruction[]> {
  const { db, clock, isAccepted, visibleTo } = deps
  const caller = writerOf(request)
  if (!isAccepted) throw notAccepted()
  const clientKey = await clientOf(db, caller, { ClientKey })
  const isVisible = await visibleTo(caller, clientKey)
  return db.transaction().execute(async (trx) => {
    const keys = StandingInstructions.map(({ AccountKey }) => AccountKey)
    const accountIds = await lockAccounts(trx, clientKey, keys)
    const rows: CreatedInstruction[] = []
    for (const { AccountKey, ...given } of StandingInstructions) {
      const createdAt = clock.now()
      const instruction = {
        ...{ id: randomHex(), accountKey: AccountKey, createdAt },
        ...{ uic: given.Uic, assetType: given.AssetType, optionType: given.OptionType },
      }
      const accountId = isVisible(given.Uic, given.AssetType) ? accountIds.get(AccountKey) : undefined
      if (accountId !== undefined) {
        await writeInstruction(trx, instruction)
        await audit(trx, 'StandingInstructionGiven', request, createdAt, {
          ...{ account: AccountKey, uic: given.Uic, assetType: given.AssetType, option: given.OptionType },
        })
      }
      rows.push(
        accountId === undefined
          ? { ...given, ...rowError(notFound('The account or instrument')) }
          : { ...given, AccountId: accountId, CreatedDate: dayOf(createdAt), StandingInstructionId: instruction.id },
      )
    }
    return rows
  })
}

const rowError = ({ code, message }: Problem) => ({ ErrorCode: code, ErrorMessage: message })

/** All or nothing: an unknown id changes nothing. */
export async function endStanding(
  { db, clock, isAccepted }: StandingDependencies,
  request: FastifyRequest,
  { ClientKey, StandingInstructionIds }: Readonly<{ ClientKey: string; StandingInstructionIds: readonly string[] }>,
): Promise<void> {
  const caller = writerOf(request)
  if (!isAccepted) throw notAccepted()
  const clientKey = await clientOf(db, caller, { ClientKey })
  const now = clock.now()
  await db.transaction().execute(async (trx) => {
    const ended = await endInstructions(trx, clientKey, StandingInstructionIds, now)
    const missing = StandingInstructionIds.find((id) => !ended.includes(id))
    if (missing !== undefined) throw notFound(`The standing instruction ${missing}`)
    for (const id of ended) await audit(trx, 'StandingInstructionEnded', request, now, { instruction: id })
  })
}

function audit(
  trx: Trx,
  kind: AuditKind,
  request: FastifyRequest,
  at: Temporal.Instant,
  detail: Record<string, string | number>,
): Promise<void> {
  const { UserKey: user, appKey: app, sessionId: session } = callerOf(request)
  return appendAudit(trx, { at, kind, user, app, session, address: request.ip, detail })
}
