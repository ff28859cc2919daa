import { type Static, Type } from 'typebox'
import { EntityKey } from '../../access/api/schema.ts'
import { AssetType } from '../../core/asset-type.ts'
import { describe, listOf, named, oneOf } from '../../core/schema.ts'
import { FeedOf, pageQuery } from '../../http/output/feed.ts'
import { Country, Currency, Description, Id, SymbolText } from './detail-schema.ts'
import { DisplayHintType, OptionSpaceSegment, SummaryType, TradingStatus } from './enums.ts'
import { summaryExample } from './examples.ts'
import { InstrumentDetails } from './schema-details.ts'

export {
  ContractOptionEntry,
  ExchangeSummary,
  FuturesSpace,
  InstrumentDetails,
  OptionSpace,
  SpecificOption,
  TradingSchedule,
} from './schema-details.ts'

/** Operations 1 and 2 (contract §2). */
export const instrumentsPage = { defaultTop: 50, maxTop: 1_000 } as const

/** A number that nobody has is not malformed: it finds nothing. */
const AnyUic = Type.Integer()

const AccountKey = Type.Optional(
  describe(EntityKey, 'An account of the client: what may be seen and traded is then what it may.'),
)
const ClientKey = Type.Optional(
  describe(EntityKey, 'Your client, which it is by default, or one below it: its rights then count.'),
)
const FieldGroups = Type.Optional(
  describe(
    listOf(Type.String({ maxLength: 100 }), 100),
    'What to send besides: OrderSetting, SupportedOrderTypeSettings, TradingSessions, MarketData. Others are ignored.',
  ),
)
const AssetTypes = Type.Optional(
  describe(listOf(AssetType), 'Only these asset types. In search, without it, each instrument comes in its main one.'),
)
const Tags = Type.Optional(
  describe(
    listOf(Type.String({ maxLength: 100 }), 100),
    'A display hint, one only; for Stock, Etf and Etc, which are searched when AssetTypes is not given. null is none.',
  ),
)
const Uics = Type.Optional(describe(listOf(AnyUic), 'Only these instruments; never option roots.'))
const multiLeg = (what: string) => Type.Optional(Type.Boolean({ description: what }))

function change(period: string, side: 'least' | 'most') {
  return Type.Optional(
    Type.Number({ description: `The ${side} that the value may have changed in one ${period}, in percent; included.` }),
  )
}

/** GET /ref/v1/instruments (1). */
export const SearchQuery = Type.Object({
  ...pageQuery(instrumentsPage),
  AccountKey,
  AssetTypes,
  CanParticipateInMultiLegOrder: multiLeg(
    'Of option roots only those that can, or cannot, be in orders of several legs.',
  ),
  Class: Type.Optional(
    describe(
      named('InstrumentClass', oneOf('Complex', 'NonComplex'), 'Whether an instrument counts as complex.'),
      'Only instruments that are, or are not, complex.',
    ),
  ),
  ExchangeId: Type.Optional(Type.String({ maxLength: 100, description: 'Only this exchange, in any case.' })),
  IncludeNonTradable: Type.Boolean({ default: false, description: 'Also what you may see but not trade.' }),
  Keywords: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Words that all must match: the beginning of a word of the description or symbol, or an ISIN.',
      examples: ['apple'],
    }),
  ),
  OneMonthTotalValueChangesFrom: change('month', 'least'),
  OneMonthTotalValueChangesTo: change('month', 'most'),
  OneWeekTotalValueChangesFrom: change('week', 'least'),
  OneWeekTotalValueChangesTo: change('week', 'most'),
  OneYearTotalValueChangesFrom: change('year', 'least'),
  OneYearTotalValueChangesTo: change('year', 'most'),
  Tags,
  Uics,
})
export type SearchQuery = Static<typeof SearchQuery>

/** GET /ref/v1/instruments/details (2). */
export const DetailsListQuery = Type.Object({
  ...pageQuery(instrumentsPage),
  AccountKey,
  AssetTypes,
  FieldGroups,
  Tags,
  Uics,
})
export type DetailsListQuery = Static<typeof DetailsListQuery>

/** The path of 3 and 6. The asset type is any text here, because an unknown one has a refusal of its own. */
export const InstrumentParams = Type.Object({
  Uic: describe(AnyUic, 'The number of the instrument.', { examples: [1000] }),
  AssetType: Type.String({ maxLength: 100, description: 'One of its asset types, in any case.', examples: ['Stock'] }),
})
export type InstrumentParams = Static<typeof InstrumentParams>

/** GET /ref/v1/instruments/details/{Uic}/{AssetType} (3). */
export const DetailsQuery = Type.Object({ AccountKey, ClientKey, FieldGroups })
export type DetailsQuery = Static<typeof DetailsQuery>

export const OptionSpaceParams = Type.Object({
  OptionRootId: describe(AnyUic, 'The number of the option root.', { examples: [1] }),
})
export type OptionSpaceParams = Static<typeof OptionSpaceParams>

/** GET /ref/v1/instruments/contractoptionspaces/{OptionRootId} (4). */
export const OptionSpaceQuery = Type.Object({
  CanParticipateInMultiLegOrder: multiLeg('The root is found only if this is true of it.'),
  ClientKey,
  ExpiryDates: Type.Optional(
    describe(
      listOf(Type.String({ maxLength: 40 })),
      'With SpecificDates: which, by Expiry or DisplayExpiry; days or date-times.',
    ),
  ),
  OptionSpaceSegment: describe(
    OptionSpaceSegment,
    'Which series tell their options: DefaultDates are the nearest expiry and the next two monthlies.',
    { default: 'None' },
  ),
  TradingStatus: Type.Optional(describe(TradingStatus, 'Only options of this status; NotDefined is every one.')),
  UnderlyingUic: Type.Optional(describe(AnyUic, 'With UnderlyingUic as segment: tell the options on this instrument.')),
})
export type OptionSpaceQuery = Static<typeof OptionSpaceQuery>

/** GET /ref/v1/instruments/futuresspaces/{ContinuousFuturesUic} (5). */
export const FuturesSpaceParams = Type.Object({
  ContinuousFuturesUic: describe(AnyUic, 'The number of a continuous future: its DisplayHint is Continuous.', {
    examples: [5000],
  }),
})
export type FuturesSpaceParams = Static<typeof FuturesSpaceParams>

/** What search tells of an instrument or an option root (contract §6). */
export const InstrumentSummary = Type.Object(
  {
    AssetType: describe(AssetType, 'The asset type in which it was found.'),
    CanParticipateInMultiLegOrder: multiLeg('Of an option root: whether it can be traded in orders of several legs.'),
    CurrencyCode: Currency,
    Description,
    DisplayHint: Type.Optional(DisplayHintType),
    ExchangeId: Type.String({ description: 'The exchange that it is traded on.' }),
    GroupId: Type.Integer({ description: 'Instruments of one group belong together; 0 is no group.' }),
    GroupOptionRootId: Type.Optional(describe(Id, 'The root under which roots of the same underlying are grouped.')),
    Identifier: describe(Id, 'The Uic, or of an option root the OptionRootId.'),
    IsKeywordMatch: Type.Optional(Type.Boolean({ description: 'True where the keywords match this very entry.' })),
    IssuerCountry: Type.Optional(Country),
    PrimaryListing: Type.Optional(describe(Id, 'The Uic of the primary listing.')),
    SummaryType: describe(SummaryType, 'Whether Identifier leads to details or to an option space.'),
    Symbol: SymbolText,
    TradableAs: Type.Optional(Type.Array(AssetType, { description: 'The asset types in which you may trade it.' })),
    UnderlyingAssetType: Type.Optional(AssetType),
    UnderlyingUic: Type.Optional(describe(Id, 'The Uic of what it is derived from.')),
  },
  {
    title: 'InstrumentSummary',
    examples: [summaryExample],
    description: 'What search tells of an instrument or an option root.',
  },
)
export type InstrumentSummary = Static<typeof InstrumentSummary>

export const SearchResults = FeedOf(InstrumentSummary)
export const InstrumentDetailsList = FeedOf(InstrumentDetails)
