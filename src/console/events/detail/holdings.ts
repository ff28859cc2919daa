import type { Event, Holding } from '../../../events/api/schema.ts'
import { defaultOption, isApplied } from '../../../events/rules/status/deadlines.ts'
import { needsDecision } from '../../../events/rules/status/status.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { facts, hiddenText, table, tag } from '../../shared/elements.ts'
import { figure, groupsOf, type Reader, words } from '../../shared/format.ts'
import { electionTag, optionName } from '../labels.ts'
import { priceText } from './facts.ts'

type Links = Readonly<{ href: string; name: string; elect: ((holding: Holding) => string) | undefined }>

export function holdingsSection(event: Event, reader: Reader, links: Links): Html {
  const { Holdings, AffectedAccounts, EligibleHoldings } = event
  return html`<section class="flow"><div class="row between"><h2>Holdings and elections</h2>
<a class="small" href="${links.href}">${links.name}</a></div>
${Holdings && (Holdings.length === 0 ? html`<p class="quiet">None of these accounts holds the instrument.</p>` : byClient({ event, reader, elect: links.elect }, Holdings))}
${
  (AffectedAccounts !== undefined || EligibleHoldings !== undefined) &&
  html`<div class="card">${facts([
    ['Affected accounts', AffectedAccounts === undefined ? undefined : figure(AffectedAccounts)],
    ['Total holdings', EligibleHoldings === undefined ? undefined : figure(EligibleHoldings)],
  ])}</div>`
}</section>`
}

type HoldingView = Readonly<{ event: Event; reader: Reader; elect: Links['elect'] }>

function byClient(view: HoldingView, holdings: readonly Holding[]): Html[] {
  const clients = groupsOf(holdings, ({ ClientKey, OwnerId }) => `${ClientKey} ${OwnerId}`)
  return clients.flatMap((of) => [clientLine(of[0]), holdingTable(view, of)])
}

const clientLine = ({ ClientName, ClientId, OwnerId, ClientKey }: Holding): Html =>
  html`<p class="small quiet"><strong><bdi>${ClientName}</bdi></strong> <span class="num">${ClientId}</span>${OwnerId !== ClientId && html`, owner <span class="num">${OwnerId}</span>`} · ClientKey <span class="num">${ClientKey}</span></p>`

function holdingTable({ event, reader, elect }: HoldingView, holdings: readonly Holding[]): Html {
  const hasElections =
    event.Electable === 'Electable' ||
    holdings.some(({ Options = [], ElectedAmount }) => Options.length + ElectedAmount > 0)
  const hasCash = holdings.some(({ CashReserved }) => CashReserved)
  const hasStanding = holdings.some(({ StandingInstructionStatus }) => StandingInstructionStatus)
  return table<Holding>(
    'Holdings and elections by account',
    [
      ['Account', accountCell, 'name'],
      ['Held', ({ Amount }) => figure(Amount), 'figure'],
      ['Elected', ({ ElectedAmount }) => figure(ElectedAmount), 'figure'],
      hasElections && [
        'Election',
        ({ ElectionStatus }) => electionTag(ElectionStatus, needsDecision(event, reader.now)),
      ],
      hasElections && ['Instructions', (holding) => instructions(holding, event, reader)],
      hasStanding && ['Standing instruction', standingText],
      hasCash && ['Cash reserved', ({ CashReserved }) => CashReserved && priceText(CashReserved), 'figure'],
      elect !== undefined && [
        hiddenText('Elect'),
        (holding) => html`<a href="${elect(holding)}">Elect${hiddenText(` for ${holding.AccountId}`)}</a>`,
      ],
    ],
    holdings,
  )
}

const standingText = ({ StandingInstructionStatus: status }: Holding) =>
  status && (status === 'Created' ? 'Yes' : 'None')

const accountCell = ({ AccountId, AccountDisplayName, AccountKey }: Holding): Html =>
  html`<span class="num">${AccountId}</span>${AccountDisplayName !== AccountId && html` <bdi>${AccountDisplayName}</bdi>`}<br><span class="num quiet small account-key">${AccountKey}</span>`

/** `280 for 1 Exercise`, its status and who elected. */
function instructions({ Options = [] }: Holding, event: Event, { now }: Reader): Html | undefined {
  if (Options.length === 0) return undefined
  const nameOf = (id: string) => {
    const option = event.Options?.find(({ OptionId }) => OptionId === id)
    return option ? optionName(option) : id
  }
  return html`<ul class="plain elections">${Options.map(
    ({ OptionId, ElectedAmount, ElectedBy, ElectionType, Instruction, Remarks }) => {
      const isAutomatic = ElectionType === 'Auto' && ElectedBy === undefined && isApplied(event, now)
      const how = isAutomatic ? appliedText(OptionId, event) : ElectionType && words(ElectionType)
      return html`<li>${figure(ElectedAmount)} for ${nameOf(OptionId)}${Instruction && html` ${tag(words(Instruction.Status), instructionTones[Instruction.Status])}`}
<span class="small quiet">${[Instruction?.Reason, how, ElectedBy && `by ${ElectedBy}`, Remarks].filter(Boolean).join(', ')}</span></li>`
    },
  )}</ul>`
}

/** Why an option was applied after the deadline. */
const appliedText = (optionId: string, event: Event): string =>
  optionId === defaultOption(event)?.OptionId
    ? 'applied as the default: nothing else was elected by the deadline'
    : 'applied by the standing instruction: nothing else was elected by the deadline'

const instructionTones = { Accepted: 'good', InProgress: 'warn', Rejected: 'bad' } as const
