import { Problem } from '../../core/problem.ts'
import { printable } from '../../core/text.ts'
import type { Event, Holding } from '../api/schema.ts'
import { elect } from '../elections/elect.ts'
import type { RequestedOption } from '../rules/elections/election.ts'
import { callerNamed, type EventCommand } from './dependencies.ts'
import { holdingLines, readEvent } from './events.ts'

/** refdesk elect: the same as PUT ca/v2/elections of the user. */
export const electCommand: EventCommand = async (deps, { words: [user, eventId = '', ...choices], options }, say) => {
  const caller = await callerNamed(deps, user)
  if ((options.withdraw === true) === choices.length > 0)
    throw new Error('Say what to elect, such as 1=100 for 100 of option 1, or withdraw everything with --withdraw.')
  const event = await readEvent(deps, caller, eventId)
  const { AccountKey } = chosenHolding(event.Holdings ?? [], options.account)
  const requested = choices.map((choice) => parseChoice(choice, event))
  const asked = { EventId: eventId, AccountKey, optionsOf: () => requested }
  await elect(deps, { caller, address: 'command line' }, asked).catch((error: unknown) => {
    throw explained(error, choices)
  })
  const after = await readEvent(deps, caller, eventId)
  for (const line of holdingLines((after.Holdings ?? []).filter((each) => each.AccountKey === AccountKey))) say(line)
  return 0
}

function chosenHolding(holdings: readonly Holding[], account: unknown): Holding {
  const found = holdings.filter(
    ({ AccountId, AccountKey }) => account === undefined || account === AccountId || account === AccountKey,
  )
  const [only, ...others] = found
  const known = holdings.map(({ AccountId, Amount }) => `${printable(AccountId)} (${Amount})`).join(', ')
  if (!only) throw new Error(`No account ${printable(String(account))} holds it. These do: ${known}.`)
  if (others.length > 0) throw new Error(`Several accounts hold it: ${known}. Choose one with --account.`)
  return only
}

/** `1=100`. Leading zeros of an option may be left out. */
function parseChoice(text: string, { Options = [] }: Event): RequestedOption {
  const [, given = '', amount = ''] = /^([^=]+)=(-?\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (given === '') throw new Error(`"${printable(text)}" is not a choice. Write the option and the amount: 1=100.`)
  const ids = Options.map(({ OptionId }) => OptionId)
  const short = (id: string) => id.replace(/^0+(?=.)/, '')
  const OptionId = ids.find((id) => id === given) ?? ids.find((id) => short(id) === short(given)) ?? given
  return { OptionId, Amount: Number(amount) }
}

/** Errors of fields name the word of the command line that they are about. */
function explained(error: unknown, choices: readonly string[]): unknown {
  if (!(error instanceof Problem) || !error.modelState) return error
  const sentences = Object.entries(error.modelState).map(([field, texts]) => {
    const index = /^Options\[(\d+)\]/.exec(field)?.[1]
    return `${index === undefined ? '' : `${printable(choices[Number(index)] ?? '')}: `}${texts.join(' ')}`
  })
  return new Error(sentences.join('\n'))
}
