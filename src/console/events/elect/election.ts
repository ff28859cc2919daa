import type { Event, Holding } from '../../../events/api/schema.ts'
import type { Instruction } from '../../../events/elections/schema.ts'
import { canBeElected, defaultOption, type EventOption } from '../../../events/rules/status/deadlines.ts'
import { undefinedIf } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import type { FormErrors } from '../../shared/fields.ts'
import type { Feed } from '../event-data.ts'

/** A row of the form. `isKept`: its deadline has passed, so it is sent as it was elected. */
export type ElectionRow = Readonly<{
  row: number
  OptionId: string
  Amount: string
  Remarks: string
  isKept: boolean
}>

/** A holding that its user can elect for, with the tag of what is shown. */
export type OpenHolding = Readonly<{ holding: Holding; tag: string; instruction: Instruction | undefined }>

/** What was submitted and rejected. */
export type Rejected = Readonly<{ rows: readonly ElectionRow[]; errors: ElectionErrors; isChanged: boolean }>

/** `isTotalWrong`: an error is about all amounts together. */
export type ElectionErrors = FormErrors & Readonly<{ isTotalWrong?: boolean }>

export const electionsPath = '/ca/v2/elections'
/** The page of standing instructions, and their operation. */
export const standingPath = '/console/events/standing'
export const instructionsPath = '/ca/v2/standinginstructions'

/** The only holding of an event, if it can be elected. It is read again together with its tag. */
export async function readOpenHolding(ctx: PageContext, event: Event): Promise<OpenHolding | undefined> {
  const [only, ...others] = event.Holdings ?? []
  if (!ctx.deps.acceptsElections || !only || others.length > 0 || !canBeElected(event, ctx.now)) return undefined
  const { EventId, AccountKey, ClientKey } = only
  const found = await ctx.api
    .getTagged<Feed<Holding>>('/ca/v2/holdings', { EventId, AccountKey, ClientKey })
    .catch(undefinedIf(({ status }) => status === 404))
  const holding = found?.body.Data[0]
  if (!found || !holding) return undefined
  return { holding, tag: found.tag, instruction: await readInstruction(ctx, event, holding) }
}

async function readInstruction(ctx: PageContext, { Uic, AssetType }: Event, holding: Holding) {
  if (holding.StandingInstructionStatus !== 'Created') return undefined
  const { Data } = await ctx.api.get<Feed<Instruction>>(instructionsPath, { ClientKey: holding.ClientKey })
  return Data.find((each) => each.AccountId === holding.AccountId && each.Uic === Uic && each.AssetType === AssetType)
}

/** The option that the rest of a holding gets after the deadline. */
export function restOption(event: Event, instruction: Instruction | undefined): EventOption | undefined {
  const fallback = defaultOption(event)
  if (!fallback || !instruction || fallback.OptionType?.Code === instruction.OptionType) return fallback
  return event.Options?.find(({ OptionType }) => OptionType?.Code === instruction.OptionType) ?? fallback
}

const maxRows = 200

export function rowsIn(form: URLSearchParams): ElectionRow[] {
  const numbers = Array.from({ length: maxRows }, (_, row) => row).filter((row) => form.has(`OptionId-${row}`))
  return numbers.map((row) => {
    const valueOf = (name: string) => form.get(`${name}-${row}`) ?? ''
    const [OptionId, Amount, Remarks] = [valueOf('OptionId'), valueOf('Amount').trim(), valueOf('Remarks').trim()]
    return { row, OptionId, Amount, Remarks, isKept: form.has(`Kept-${row}`) }
  })
}

export type RequestedOption = Readonly<{ OptionId: string; Amount: number; Remarks?: string }>

/** The options to send, each with the row of the form it is from. Rows without an amount are not elected. */
export function requestedOf(rows: readonly ElectionRow[]): { options: RequestedOption[]; from: number[] } | FormErrors {
  const options: RequestedOption[] = []
  const from: number[] = []
  const fields: Record<string, string[]> = {}
  for (const { row, OptionId, Amount, Remarks } of rows) {
    const amount = Number(Amount)
    if (!Number.isFinite(amount)) fields[`Amount-${row}`] = ['Must be a number, such as 100.']
    if (!Number.isFinite(amount) || amount === 0) continue
    options.push({ OptionId, Amount: amount, ...(Remarks !== '' && { Remarks }) })
    from.push(row)
  }
  return Object.keys(fields).length > 0 ? { fields, others: [] } : { options, from }
}

/** The errors of the API at the fields of the form: `Options[1].Amount` is that of the row it was sent from. */
export function fieldErrors(
  modelState: Record<string, string[]>,
  from: readonly number[],
  message: string,
): ElectionErrors {
  const fields: Record<string, string[]> = {}
  const others: string[] = []
  for (const [name, texts] of Object.entries(modelState)) {
    const [, index, member] = /^Options\[(\d+)\]\.(\w+)$/.exec(name) ?? []
    const row = index === undefined ? undefined : from[Number(index)]
    const field = `${member === 'Remarks' ? member : 'Amount'}-${row}`
    if (row === undefined) others.push(...texts)
    else fields[field] = [...(fields[field] ?? []), ...texts]
  }
  if (Object.keys(modelState).length === 0) others.push(message)
  return { fields, others, isTotalWrong: modelState.Options !== undefined }
}

/** Whether a holding has exactly these elections: then a form was submitted twice. */
export function isElected({ Options = [] }: Holding, requested: readonly RequestedOption[]): boolean {
  const texts = (all: readonly (readonly [string, number, string | undefined])[]) =>
    JSON.stringify(all.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const present = Options.map(({ OptionId, ElectedAmount, Remarks }) => [OptionId, ElectedAmount, Remarks] as const)
  return texts(present) === texts(requested.map((each) => [each.OptionId, each.Amount, each.Remarks]))
}
