import { type Static, type TOptional, type TSchema, Type } from 'typebox'
import { AssetType } from '../../core/asset-type.ts'
import { describe, matching, oneOf } from '../../core/schema.ts'

/** A field that a record may give. Without a default it is absent unless the record gives it. */
type Field<Schema extends TSchema = TSchema> = Readonly<{ schema: Schema; default?: unknown }>
type Fields = Readonly<Record<string, Field>>

const absent = <Schema extends TSchema>(schema: Schema, description: string) => ({
  schema: describe(schema, description),
})
const field = <Schema extends TSchema>(schema: Schema, description: string, value: Static<Schema>) => ({
  ...absent(schema, description),
  default: value,
})

/** The names of an enumeration of the interface whose values the data decides. */
const Word = Type.String({ ...matching('a word such as Default', '^[A-Za-z][A-Za-z0-9_]{0,63}$') })
const flag = (description: string, value = false) => field(Type.Boolean(), description, value)
const limit = field(Type.Number({ minimum: 0 }), 'Positions are closed when the value falls to it; 0 is no limit.', 0)
const supportsLimit = flag('Whether AccountValueProtectionLimit may be set here.')
const marginMethod = field(Word, 'How margin is calculated.', 'Default')
const marginTrading = flag('Whether trading on margin is allowed. Access rights decide what may be traded.', true)
const portfolioMargin = flag('Whether margin is calculated on the whole portfolio.')
const monitoring = (what: string) => absent(Word, `How ${what} is monitored; absent if it is not.`)
const lending = (what: string) => absent(Word, `Whether ${what} lending is enabled.`)

const NettingProfile = oneOf('AverageRealTime', 'FifoEndOfDay', 'FifoRealTime')

export const userFields = {
  Culture: field(Type.String({ maxLength: 20 }), 'The culture for formatting dates and numbers.', 'en-GB'),
  Language: field(Type.String({ maxLength: 20 }), 'The language of the user.', 'en'),
  MarketDataViaOpenApiTermsAccepted: flag('Whether the user accepted the terms of market data.', true),
  TimeZoneId: field(Type.Integer({ minimum: 0, maximum: 100_000 }), 'The id of the user’s time zone.', 0),
} satisfies Fields

export const clientFields = {
  AccountValueProtectionLimit: limit,
  AllowedNettingProfiles: field(Type.Array(NettingProfile, { maxItems: 3 }), 'The netting profiles to choose from.', [
    'FifoEndOfDay',
  ]),
  AllowedTradingSessions: field(oneOf('All', 'Regular'), 'All includes extended trading hours.', 'Regular'),
  CollateralMonitoringMode: monitoring('collateral'),
  ContractOptionsTradingProfile: field(
    Word,
    'Which option strategies the client may trade: None, Basic, Advanced or Expert. Access rights decide what may be traded.',
    'Expert',
  ),
  ContractType: absent(Word, 'The kind of joint account; absent for others.'),
  ForceOpenDefaultValue: flag('Whether orders open new positions by default instead of netting.'),
  IsMarginTradingAllowed: marginTrading,
  IsVariationMarginEligible: flag('Whether unrealized profit of derivatives can be withdrawn.'),
  LegalAssetTypesAreIndicative: flag('Whether single instruments may differ from LegalAssetTypes.'),
  MarginCalculationMethod: marginMethod,
  MarginMonitoringMode: monitoring('margin'),
  MutualFundsCashAmountOrderCurrency: absent(Word, 'The currency of orders for mutual funds by amount.'),
  PositionNettingMethod: field(Word, 'How positions are netted.', 'FIFO'),
  PositionNettingMode: field(Word, 'When positions are netted.', 'EndOfDay'),
  PositionNettingProfile: field(NettingProfile, 'Method and mode of netting.', 'FifoEndOfDay'),
  ReduceExposureOnly: flag('Whether the client may only reduce exposure.'),
  SecurityLendingEnabled: lending('security'),
  SupportsAccountValueProtectionLimit: supportsLimit,
} satisfies Fields

const BenchmarkInstrument = Type.Object(
  {
    BenchmarkInstrumentAssetType: AssetType,
    BenchmarkInstrumentUic: Type.Integer({ minimum: 1, description: 'The Uic of the instrument.' }),
  },
  { additionalProperties: false, title: 'BenchmarkInstrument' },
)
const ExchangeIds = Type.Array(Type.String({ minLength: 1, maxLength: 32 }), { maxItems: 1_000 })
const CreationDate = Type.String({ format: 'date-time' })

export const accountFields = {
  AccountSubType: field(Word, 'The tax scheme of the account.', 'None'),
  AccountType: field(Word, 'The purpose of the account.', 'Normal'),
  AccountValueProtectionLimit: limit,
  Active: flag('Whether the account is in use.', true),
  AutoTradingInvestmentId: absent(Type.Integer({ minimum: 0 }), 'The investment that trades this account.'),
  BenchmarkInstrument: absent(BenchmarkInstrument, 'What the performance of the account is compared with.'),
  CanUseCashPositionsAsMarginCollateral: flag('Whether cash positions can be used as margin collateral.'),
  CfdBorrowingCostsActive: flag('Whether borrowing costs apply to contracts for difference.'),
  CreationDate: absent(CreationDate, 'When the account was opened.'),
  DirectMarketAccess: flag('Whether orders go directly to the market.'),
  DirectMarketExchangesIds: absent(ExchangeIds, 'The exchanges with direct market access.'),
  FractionalOrderEnabled: flag('Whether fractions of a share can be ordered.'),
  IndividualMargining: flag('Whether the account is margined alone.'),
  IsCurrencyConversionAtSettlementTime: flag('Whether currencies are converted at settlement.'),
  IsMarginTradingAllowed: marginTrading,
  IsShareable: flag('Whether the account can be shared.'),
  IsTrialAccount: flag('Whether the account is for trial only.'),
  ManagementType: field(Word, 'Who manages the account.', 'Client'),
  MarginCalculationMethod: marginMethod,
  MarginLendingEnabled: field(Word, 'Whether margin lending is enabled.', 'No'),
  PortfolioBasedMarginEnabled: portfolioMargin,
  Sharing: field(Type.Array(Word, { maxItems: 10 }), 'How the account is shared.', ['NoSharing']),
  SupportsAccountValueProtectionLimit: supportsLimit,
  UseCashPositionsAsMarginCollateral: flag('Whether cash positions are used as margin collateral.'),
} satisfies Fields

export const accountGroupFields = {
  AccountValueProtectionLimit: limit,
  CollateralMonitoringMode: monitoring('collateral'),
  MarginCalculationMethod: marginMethod,
  MarginLendingEnabled: lending('margin'),
  MarginMonitoringMode: monitoring('margin'),
  PortfolioBasedMarginEnabled: portfolioMargin,
  SupportsAccountValueProtectionLimit: supportsLimit,
} satisfies Fields

type SchemaOf<F> = F extends { schema: infer Schema extends TSchema } ? Schema : never
type RecordMembers<F extends Fields> = { [Name in keyof F]: TOptional<SchemaOf<F[Name]>> }
type ViewMembers<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { default: unknown } ? SchemaOf<F[Name]> : TOptional<SchemaOf<F[Name]>>
}

/** The fields as members of a record, which may omit each. */
export const recordMembers = <F extends Fields>(fields: F): RecordMembers<F> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { schema }]) => [name, Type.Optional(schema)]),
  ) as RecordMembers<F>

/** The fields as members of a response, which always has those with a default. */
export const viewMembers = <F extends Fields>(fields: F): ViewMembers<F> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, one]) => [name, 'default' in one ? one.schema : Type.Optional(one.schema)]),
  ) as ViewMembers<F>

export type GivenFields = Readonly<Record<string, unknown>>
type ValueOf<F> = Static<SchemaOf<F>>
type ValuesOf<F extends Fields> = {
  [Name in keyof F as F[Name] extends { default: unknown } ? Name : never]: ValueOf<F[Name]>
} & { [Name in keyof F as F[Name] extends { default: unknown } ? never : Name]?: ValueOf<F[Name]> }

/** The values that a record gives, and the defaults of the others. */
export function withDefaults<F extends Fields>(fields: F, given: GivenFields): ValuesOf<F> {
  const values = Object.entries(fields).map(([name, { default: value }]) => [name, given[name] ?? value])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as ValuesOf<F>
}

/** The members of a record that are fields of the table, as JSON. */
export const fieldsText = (fields: Fields, record: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(record).filter(([name]) => Object.hasOwn(fields, name))))
