import { Type } from 'typebox'
import { callerOf } from '../../access/caller.ts'
import { decidingRights, ownerOf, reasonOnAccount } from '../../access/rules/deciding-right.ts'
import { rightsOf } from '../../access/rules/legal-asset-types.ts'
import type { Tradability } from '../../access/rules/tradability.ts'
import { tradeSentence } from '../../access/rules/trade-sentence.ts'
import { type AccessRight, accessView } from '../../access/rules/visibility.ts'
import { type AccountFacts, listAccounts } from '../../access/store/identities.ts'
import type { Caller } from '../../core/caller.ts'
import { operation } from '../../http/operation.ts'
import { sendWithBodyEtag } from '../../http/output/caching.ts'
import { nextPage, pageQuery } from '../../http/output/feed.ts'
import { assetTypeNamed } from '../rules/search-criteria.ts'
import { detailsBody } from './details.ts'
import { InstrumentParams } from './fields/parameters.ts'
import { type HandlerOf, type InstrumentDependencies, read } from './request-view.ts'
import { type InstrumentDetails, InstrumentTradability } from './schema.ts'

const accountsPage = { defaultTop: 100, maxTop: 1_000 } as const
const { $top, $skip } = pageQuery(accountsPage)

export const getTradability = operation({
  ...read,
  path: '/x/v1/tradability/:Uic/:AssetType',
  operationId: 'getTradability',
  summary: 'Get the tradability of an instrument',
  description:
    'Returns, for each account, whether the instrument can be traded and why not. Follows the same rules as the details of ' +
    'the instrument (3) and returns the same errors.',
  params: InstrumentParams,
  query: Type.Object({ $top, $skip }),
  responses: { 200: InstrumentTradability },
  errors: ['IllegalInstrumentId', 'InvalidAssetType'],
})

export const handleGetTradability: HandlerOf<typeof getTradability> = async (deps, request, reply) => {
  const caller = callerOf(request)
  const [{ rights, details }, { accounts, more }] = await Promise.all([
    readDetails(deps, caller, request.params),
    listAccounts(deps.db, caller.ClientKey, request.query),
  ])
  const { Uic, AssetType, IsTradable, NonTradableReason } = details
  const address = `${deps.baseUrl}/x/v1/tradability/${Uic}/${AssetType}`
  const next = nextPage(request, address, more)
  const body = {
    ...(next !== undefined && { __next: next }),
    Uic,
    AssetType,
    ExchangeId: details.Exchange.ExchangeId,
    IsTradable,
    NonTradableReason,
    Accounts: accountViews(details, rights, accounts),
    MaxRows: accountsPage.maxTop,
  }
  return sendWithBodyEtag(request, reply, body)
}

/** Whether the first accounts of the caller's client can trade an instrument, and why not. */
export async function listTradability(
  deps: InstrumentDependencies,
  caller: Caller,
  params: InstrumentParams,
): Promise<InstrumentTradability['Accounts']> {
  const { rights, details } = await readDetails(deps, caller, params)
  const { accounts } = await listAccounts(deps.db, caller.ClientKey, { $top: accountsPage.defaultTop, $skip: 0 })
  return accountViews(details, rights, accounts)
}

type Details = InstrumentDetails & Tradability

/** The response of operation 3 and the access rights it follows from, of the same moment. */
async function readDetails(
  { access, catalogue, clock }: InstrumentDependencies,
  caller: Caller,
  params: InstrumentParams,
): Promise<{ rights: AccessRight[]; details: Details }> {
  const assetType = assetTypeNamed(params.AssetType)
  const { rights: all = [], accounts = [] } = (await access.accessOf(caller.ClientKey)) ?? {}
  const rights = rightsOf(all, caller.UserKey)
  const view = { snapshot: catalogue.current(), access: accessView(rights, accounts), now: clock.nowMs() }
  const details = detailsBody(view, params.Uic, assetType, new Set())()
  return { rights, details: JSON.parse(details.toString()) }
}

function accountViews(
  details: Details,
  rights: readonly AccessRight[],
  accounts: readonly AccountFacts[],
): InstrumentTradability['Accounts'] {
  const { AssetType: assetType, DisplayHint: displayHint } = details
  const exchangeId = details.Exchange.ExchangeId
  const rightOn = decidingRights(rights, assetType, exchangeId)
  const hasOwnRights = rights.some(({ userKey }) => userKey !== null)
  return accounts.map(({ accountId, accountKey, currency }) => {
    const right = rightOn(accountKey)
    const mayTrade = right?.level === 'Trade'
    const reason = reasonOnAccount(details.NonTradableReason, mayTrade)
    const facts = { accountId, assetType, exchangeId, displayHint, right, reason, hasOwnRights }
    return {
      AccountId: accountId,
      AccountKey: accountKey,
      Currency: currency,
      MayView: right !== undefined,
      MayTrade: mayTrade,
      IsTradable: reason === 'None',
      NonTradableReason: reason,
      Reason: tradeSentence(facts),
      ...(right && { Right: rightView(right) }),
    }
  })
}

function rightView(right: AccessRight) {
  const { level, assetTypes, exchangeIds } = right
  return {
    Level: level,
    Of: ownerOf(right),
    ...(assetTypes && { AssetTypes: [...assetTypes] }),
    ...(exchangeIds && { ExchangeIds: [...exchangeIds] }),
  }
}
