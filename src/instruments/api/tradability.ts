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
import type { Clock } from '../../core/clock.ts'
import { describe, named, oneOf } from '../../core/schema.ts'
import type { Db } from '../../database/open.ts'
import { sentQuery } from '../../http/input/query.ts'
import { sendWithBodyEtag } from '../../http/output/caching.ts'
import { nextLink, pageQuery } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { assetTypeNamed } from '../rules/search-criteria.ts'
import { detailsAnswer } from './answers.ts'
import { Currency, Id } from './detail-schema.ts'
import { NonTradableReason } from './enums.ts'
import { type InstrumentDetails, InstrumentParams } from './schema.ts'

type Details = InstrumentDetails & Tradability

const accountsPage = { defaultTop: 100, maxTop: 1_000 } as const
const { $top, $skip } = pageQuery(accountsPage)
const Query = Type.Object({ $top, $skip })

const RightView = Type.Object(
  {
    Level: AccessLevel,
    Of: describe(named('RightOwner', oneOf('Client', 'Account', 'User'), 'Whose a right is.'), 'Whose right it is.'),
    AssetTypes: Type.Optional(Type.Array(Type.String(), { description: 'Absent: all.' })),
    ExchangeIds: Type.Optional(Type.Array(Type.String(), { description: 'Absent: all.' })),
  },
  {
    title: 'DecidingRight',
    description: 'The right that decides: Trade before View, one of this account before one of all.',
  },
)

const AccountTradability = Type.Object(
  {
    AccountId: Type.String({ description: 'The id of the account.' }),
    AccountKey: EntityKey,
    Currency,
    MayView: Type.Boolean({ description: 'Whether there is a right on this account, of either level.' }),
    MayTrade: Type.Boolean({ description: 'Whether there is a Trade right on this account.' }),
    IsTradable: Type.Boolean({ description: 'Whether it can be traded on this account.' }),
    NonTradableReason: describe(NonTradableReason, 'Why not; None when it can.'),
    Reason: Type.String({ description: 'The same in one sentence, for people.' }),
    Right: Type.Optional(RightView),
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
      Reason: 'Account 9226397 may trade Stock on NASDAQ by a right of this account.',
      Right: { Level: 'Trade', Of: 'Account' },
    },
  ],
  MaxRows: 1000,
}

const InstrumentTradability = Type.Object(
  {
    __next: Type.Optional(Type.String({ format: 'uri', description: 'Where the next accounts are.' })),
    Uic: describe(Id, 'The instrument.'),
    AssetType,
    ExchangeId: Type.String({ description: 'The exchange that rights are compared with.' }),
    IsTradable: Type.Boolean({ description: 'As in the details (3): whether it can be traded on any account.' }),
    NonTradableReason: describe(NonTradableReason, 'As in the details (3).'),
    Accounts: Type.Array(AccountTradability, {
      description: 'The accounts of your client by their ids, a page of them.',
    }),
    MaxRows: Type.Integer({ description: 'The most accounts that a page can have.' }),
  },
  { title: 'Tradability', examples: [tradabilityExample] },
)

export type TradabilityParts = Readonly<{ db: Db; catalogue: Catalogue; clock: Clock; baseUrl: string }>

/** Why an instrument can or cannot be traded, account by account. */
export function tradabilityRoutes(api: Server, { db, catalogue, clock, baseUrl }: TradabilityParts): void {
  /** What operation 3 tells the caller, and the rights that it follows from: both of one moment. */
  const detailsFor = async (caller: Caller, { Uic, AssetType: named }: InstrumentParams) => {
    const assetType = assetTypeNamed(named)
    const { rights: all = [], accounts = [] } = (await readClientAccess(db, caller.ClientKey)) ?? {}
    const rights = rightsOf(all, caller.UserKey)
    const requestView = { snapshot: catalogue.current(), view: accessView(rights, accounts), now: clock.now() }
    const details = detailsAnswer(requestView, Uic, assetType, new Set())()
    return { rights, details: JSON.parse(details.toString()) as Details }
  }

  api.get(
    '/x/v1/tradability/:Uic/:AssetType',
    {
      schema: {
        operationId: 'getTradability',
        summary: 'Why an instrument can or cannot be traded, account by account',
        description: 'Decided as in the details of an instrument (3), and refused like them.',
        documented: { etag: true, errors: ['IllegalInstrumentId', 'InvalidAssetType'] },
        tags: ['x'],
        params: InstrumentParams,
        querystring: Query,
        response: { 200: InstrumentTradability },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { $top: top, $skip: skip } = request.query
      const [{ rights, details }, { accounts, more }] = await Promise.all([
        detailsFor(caller, request.params),
        listAccounts(db, caller.ClientKey, request.query),
      ])
      const { Uic, AssetType, IsTradable, NonTradableReason } = details
      const address = `${baseUrl}/x/v1/tradability/${Uic}/${AssetType}`
      const next = more && top > 0 ? nextLink(address, sentQuery(request), { $skip: skip + top }) : undefined
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
    },
  )
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

function rightView(right: AccessRight) {
  const { level, assetTypes, exchangeIds } = right
  return {
    Level: level,
    Of: ownerOf(right),
    ...(assetTypes && { AssetTypes: [...assetTypes] }),
    ...(exchangeIds && { ExchangeIds: [...exchangeIds] }),
  }
}
