import type { Event, Holding } from '../../../events/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { facts, table } from '../../shared/elements.ts'
import { figure, words } from '../../shared/format.ts'
import { electionTag, moneyFigure, optionName } from '../labels.ts'

/** What is held and what was elected: by account, or with the clients below in one sum. */
export function holdingsSection(event: Event, otherView: { href: string; name: string }): Html {
  const { Holdings, AffectedAccounts, EligibleHoldings } = event
  return html`<section class="flow"><div class="row between"><h2>Holdings and elections</h2>
<a class="small" href="${otherView.href}">${otherView.name}</a></div>
${Holdings && (Holdings.length === 0 ? html`<p class="quiet">None of these accounts holds it.</p>` : byClient(event, Holdings))}
${
  (AffectedAccounts !== undefined || EligibleHoldings !== undefined) &&
  html`<div class="card">${facts([
    ['Affected accounts', AffectedAccounts === undefined ? undefined : figure(AffectedAccounts)],
    ['They hold together', EligibleHoldings === undefined ? undefined : figure(EligibleHoldings)],
  ])}</div>`
}</section>`
}

/** As a rule of one client, which is named once. */
function byClient(event: Event, holdings: readonly Holding[]): Html[] {
  const clients = Map.groupBy(holdings, ({ ClientKey, OwnerId }) => `${ClientKey} ${OwnerId}`)
  return [...clients.values()].flatMap((of) => {
    const [first] = of
    return first ? [clientLine(first), holdingTable(event, of)] : []
  })
}

const clientLine = ({ ClientName, ClientId, OwnerId, ClientKey }: Holding): Html =>
  html`<p class="small quiet"><strong><bdi>${ClientName}</bdi></strong> <span class="num">${ClientId}</span>${OwnerId !== undefined && html`, below <span class="num">${OwnerId}</span>`} · ClientKey <span class="num">${ClientKey}</span></p>`

function holdingTable(event: Event, holdings: readonly Holding[]): Html {
  const isElectable = event.Electable === 'Electable'
  const hasChoices =
    isElectable || holdings.some(({ Options = [], ElectedAmount }) => Options.length + ElectedAmount > 0)
  return table<Holding>(
    'Holdings and elections by account',
    [
      { head: 'Account', isRowHead: true, cell: accountCell },
      { head: 'Holds', isFigure: true, cell: ({ Amount }) => figure(Amount) },
      ...(hasChoices
        ? [
            { head: 'Elected', isFigure: true, cell: ({ ElectedAmount }: Holding) => figure(ElectedAmount) },
            { head: 'Election', cell: ({ ElectionStatus }: Holding) => electionTag(ElectionStatus) },
            { head: 'Choices', cell: (holding: Holding) => choices(holding, event) },
          ]
        : [{ head: 'Elected', isFigure: true, cell: ({ ElectedAmount }: Holding) => figure(ElectedAmount) }]),
      ...(holdings.some(({ CashReserved }) => CashReserved)
        ? [
            {
              head: 'Cash reserved',
              isFigure: true,
              cell: ({ CashReserved: cash }: Holding) => cash && `${moneyFigure(cash.Value)} ${cash.Currency}`,
            },
          ]
        : []),
    ],
    holdings,
  )
}

const accountCell = ({ AccountId, AccountDisplayName, AccountKey }: Holding): Html =>
  html`<span class="num">${AccountId}</span>${AccountDisplayName !== AccountId && html` <bdi>${AccountDisplayName}</bdi>`}<br><span class="num quiet small account-key">${AccountKey}</span>`

/** `280 for 1 Exercise`, by whom, and how far it has come. */
function choices({ Options = [] }: Holding, event: Event): Html | undefined {
  if (Options.length === 0) return undefined
  const nameOf = (id: string) => {
    const option = event.Options?.find(({ OptionId }) => OptionId === id)
    return option ? optionName(option) : id
  }
  return html`<ul class="plain elections">${Options.map(
    ({ OptionId, ElectedAmount, ElectedBy, ElectionType, Instruction, Remarks }) =>
      html`<li>${figure(ElectedAmount)} for ${nameOf(OptionId)}${Instruction && html` <span class="tag${instructionTones[Instruction.Status]}">${words(Instruction.Status)}</span>`}
<span class="small quiet">${[ElectionType && words(ElectionType), ElectedBy && `by ${ElectedBy}`, Remarks].filter(Boolean).join(', ')}</span></li>`,
  )}</ul>`
}

const instructionTones = { Accepted: ' good', InProgress: ' warn', Rejected: ' bad' } as const
