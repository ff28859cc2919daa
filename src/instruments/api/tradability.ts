import { type Static, Type } from 'typebox'
import { AccessLevel, EntityKey } from '../../access/api/schema.ts'
import { callerOf } from '../../access/caller.ts'
import { decidingRights, ownerOf, reasonOnAccount } from '../../access/rules/deciding-right.ts'
import { rightsOf } from '../../access/rules/legal-asset-types.ts'
import type { Tradability } from '../../access/rules/tradability.ts'
import { tradeSentence } from '../../access/rules/trade-sentence.ts'
import { type AccessRight, accessView } from '../../access/rules/visibility.ts'
import { type AccountFacts, listAccounts, readClientAccess } from '../../access/store/identities.ts'
import { AssetType } from '../../core/asset-type.ts'
import type { Caller } from '../../core/caller.ts'
import { describe, named, oneOf, optional } from '../../core/schema.ts'
import { operation } from '../../http/operation.ts'
import { sendWithBodyEtag } from '../../http/output/caching.ts'
import { nextPage, pageQuery } from '../../http/output/feed.ts'
import { assetTypeNamed } from '../rules/search-criteria.ts'
import { detailsBody } from './details.ts'
import { NonTradableReason } from './fields/enums.ts'
import { InstrumentParams } from './fields/parameters.ts'
import { Currency, Id } from './fields/values.ts'
import { type HandlerOf, type InstrumentDependencies, read } from './request-view.ts'
import type { InstrumentDetails } from './schema.ts'

const accountsPage = { defaultTop: 100, maxTop: 1_000 } as const
const { $top, $skip } = pageQuery(accountsPage)

const RightOwner = named('RightOwner', oneOf('Client', 'Account', 'User'), 'Whom an access right belongs to.')
const DecidingRight = Type.Object(
  {
    Level: AccessLevel,
    Of: describe(RightOwner, 'Whom the right belongs to.'),
    AssetTypes: optional(Type.Array(Type.String()), 'Absent means all.'),
    ExchangeIds: optional(Type.Array(Type.String()), 'Absent means all.'),
  },
  {
    title: 'DecidingRight',
    description: 'The access right that decides: Trade before View, a right of this account before a general one.',
  },
)

const AccountTradability = Type.Object(
  {
    AccountId: Type.String({ description: 'The account id.' }),
    AccountKey: EntityKey,
    Currency,
    MayView: Type.Boolean({ description: 'Whether this account has an access right of any level.' }),
    MayTrade: Type.Boolean({ description: 'Whether this account has a Trade right.' }),
    IsTradable: Type.Boolean({ description: 'Whether the instrument can be traded on this account.' }),
    NonTradableReason: describe(NonTradableReason, 'Why it cannot be traded; None if it can.'),
    Reason: Type.String({ description: 'The same as a sentence.' }),
    Right: Type.Optional(DecidingRight),
  },
  { title: 'AccountTradability' },
)

const tradabilityExample = {
  Uic: 1000,
  AssetType: 'Stock',
  ExchangeId: 'NASDAQ',
  IsTradable: true,
  NonTradableReason: 'None',
  Accounts: [
    {
      AccountId: '9226397',
      AccountKey: 'MBZsM65o3H4jc4FdAqA9hw==',
      Currency: 'EUR',
      MayView: true,
      MayTrade: true,
      IsTradable: true,
      NonTradableReason: 'None',
      Reason: 'Account 9226397 may trade Stock on NASDAQ under a right of this account.',
      Right: { Level: 'Trade', Of: 'Account' },
    },
  ],
  MaxRows: 1000,
}

const InstrumentTradability = Type.Object(
  {
    __next: Type.Optional(Type.String({ format: 'uri', description: 'The next page of accounts.' })),
    Uic: describe(Id, 'The Uic of the instrument.'),
    AssetType,
    ExchangeId: Type.String({ description: 'The exchange that access rights are compared with.' }),
    IsTradable: Type.Boolean({ description: 'Whether it can be traded on any account, as in its details (3).' }),
    NonTradableReason: describe(NonTradableReason, 'The reason in its details (3).'),
    Accounts: Type.Array(AccountTradability, { description: 'A page of the accounts of your client, by AccountId.' }),
    MaxRows: Type.Integer({ description: 'The maximum number of accounts on a page.' }),
  },
  { title: 'Tradability', examples: [tradabilityExample] },
)

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

type Details = InstrumentDetails & Tradability

/** The response of operation 3 and the access rights it follows from, read at the same moment. */
async function readDetails(
  { db, catalogue, clock }: InstrumentDependencies,
  caller: Caller,
  params: InstrumentParams,
): Promise<{ rights: AccessRight[]; details: Details }> {
  const assetType = assetTypeNamed(params.AssetType)
  const { rights: all = [], accounts = [] } = (await readClientAccess(db, caller.ClientKey)) ?? {}
  const rights = rightsOf(all, caller.UserKey)
  const view = { snapshot: catalogue.current(), access: accessView(rights, accounts), now: clock.now() }
  const details = detailsBody(view, params.Uic, assetType, new Set())()
  return { rights, details: JSON.parse(details.toString()) }
}

function accountViews(
  details: Details,
  rights: readonly AccessRight[],
  accounts: readonly AccountFacts[],
): Static<typeof AccountTradability>[] {
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

function rightView(right: AccessRight): Static<typeof DecidingRight> {
  const { level, assetTypes, exchangeIds } = right
  return {
    Level: level,
    Of: ownerOf(right),
    ...(assetTypes && { AssetTypes: [...assetTypes] }),
    ...(exchangeIds && { ExchangeIds: [...exchangeIds] }),
  }
}
