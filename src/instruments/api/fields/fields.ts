import { Type } from 'typebox'
import { AssetType } from '../../../core/asset-type.ts'
import { describe, optional } from '../../../core/schema.ts'
import { TradingStatus } from '../../../core/trading-status.ts'
import { contractTerms } from './contract-terms.ts'
import * as enums from './enums.ts'
import { features } from './features.ts'
import { common, computed, flag, ifAny, onRequest, row, type Storage, template } from './field.ts'
import { bondTerms, fundTerms } from './security-terms.ts'
import * as values from './values.ts'
import { vendorOnly } from './vendor-only.ts'

const { Currency, Decimals, Id, Positive } = values

const RelatedInstrument = Type.Object(
  { AssetType, Uic: describe(Id, 'The Uic of the instrument.') },
  { ...values.closed, title: 'RelatedInstrument' },
)
const Strategies = Type.Array(enums.OptionsStrategyType, { maxItems: 15 })
const RelatedOptionRoot = Type.Object(
  {
    AssetType,
    OptionRootId: describe(Id, 'The id of the option root.'),
    OptionType: enums.RelatedOptionType,
    SupportedStrategies: optional(Strategies, 'Its strategies that can be traded as one order.'),
  },
  { ...values.closed, title: 'RelatedOptionRoot' },
)

/** Every field of instrument details (§6.2), declared once: its schema, label, sentence and storage. The API schemas,
 *  the import records, the catalogue and the console's instrument page are derived from it; a section is a card of
 *  that page. */
export const fieldSections = {
  Classification: {
    AssetType: computed(AssetType, 'Asset type', 'The asset type of these details. One Uic can have several.'),
    DisplayHint: template(enums.DisplayHintType, 'Display hint'),
    IsComplex: flag('Complex', 'Whether regulation classes it as a complex instrument.'),
    CurrencyCode: template(Currency, 'Currency', 'The trading currency, ISO 4217.'),
    TradingStatus: row(TradingStatus, 'Trading status'),
    TradableAs: ifAny(Type.Array(AssetType), 'Tradable as', 'The asset types in which you may trade this Uic.'),
  },
  Identifiers: {
    Uic: computed(Id, 'Uic', 'The number that, together with the asset type, identifies the instrument.'),
    Symbol: common(
      values.SymbolText,
      'Symbol',
      'The symbol, followed by the MIC of its exchange in lower case where it has one: AAPL:xnas.',
    ),
    Exchange: computed(values.ExchangeSummary, 'Exchange'),
    PrimaryListing: common(Id, 'Primary listing', 'The Uic of the primary listing of the same security.'),
    GroupId: common(
      Type.Integer({ minimum: 0, maximum: 4_294_967_295 }),
      'Group',
      'Instruments with the same GroupId belong together, such as two share classes of a company; 0 means none.',
    ),
  },
  'Contract terms': contractTerms,
  'Bond terms': bondTerms,
  'Fund terms': fundTerms,
  Features: features,
  'Order size': {
    LotSize: template(Positive, 'Lot size', 'The number of units in a lot.'),
    LotSizeType: template(enums.LotSizeType, 'Odd lots'),
    LotSizeText: template(values.Text, 'Lot', 'What a lot of a future is, in words.'),
    MinimumLotSize: template(Positive, 'Minimum lot size', 'The smallest number of units in an order.'),
    MinimumTradeSize: template(Positive, 'Minimum amount', 'The smallest amount that can be traded.'),
    MinimumOrderValue: template(Positive, 'Minimum order value', 'The smallest value of an order: amount times price.'),
    IncrementSize: template(Positive, 'Amount step', 'The step between allowed amounts.'),
    AmountDecimals: template(Decimals, 'Amount decimals', 'Decimals allowed in an amount; 0 means whole units.'),
    DefaultAmount: template(Positive, 'Default amount', 'The amount a trade ticket suggests.'),
    StandardAmounts: template(
      Type.Array(Positive, { maxItems: 50 }),
      'Standard amounts',
      'The amounts a trade ticket offers to choose from.',
    ),
    MaxGuaranteedStopOrderSize: template(
      Positive,
      'Largest guaranteed stop',
      'The largest amount of a guaranteed stop order.',
    ),
    OrderSetting: onRequest(
      values.OrderSetting,
      'Order size limits',
      'The smallest and largest order. Only with FieldGroups=OrderSetting.',
    ),
  },
  Pricing: {
    TickSize: template(Positive, 'Tick size', 'The smallest price movement.'),
    TickSizeLimitOrder: template(Positive, 'Tick of limit orders', 'The smallest price movement of a limit order.'),
    TickSizeStopOrder: template(Positive, 'Tick of stop orders', 'The smallest price movement of a stop order.'),
    TickSizeScheme: template(
      values.TickSizeScheme,
      'Tick size by price',
      'The smallest price movement by price: the first element whose HighPrice is not below the price applies.',
    ),
    PriceCurrency: template(
      Currency,
      'Price currency',
      'The currency of prices, which can differ from CurrencyCode: GBX (pence) for shares traded in GBP.',
    ),
    Format: template(values.Format, 'Price format', 'How prices are written. Without Format.Format: plain decimals.'),
    DefaultSlippage: template(
      Positive,
      'Default slippage',
      'How far the price may move against an order, unless the order says otherwise.',
    ),
    DefaultSlippageType: template(enums.SlippageType, 'Slippage unit', 'The unit of DefaultSlippage.'),
    OrderDistances: template(
      values.OrderDistances,
      'Order distances',
      'How far from the current price a trade ticket places orders by default.',
    ),
  },
  /** Shown in the heading and the tables of the page, not on a card. */
  Other: {
    Description: common(values.Description, 'Name', 'The name of the instrument, in English.'),
    IsTradable: computed(Type.Boolean(), 'Tradable', 'Whether you may trade it on at least one account.'),
    NonTradableReason: computed(enums.NonTradableReason, 'Reason', 'Why you may not trade it; None if you may.'),
    RelatedInstruments: row(
      Type.Array(RelatedInstrument, { maxItems: 200 }),
      'Related instruments',
      'Related instruments that you may see: other share classes, an index, a CFD.',
    ),
    RelatedOptionRootsEnhanced: row(
      Type.Array(RelatedOptionRoot, { maxItems: 200 }),
      'Option chains',
      'The option roots on this instrument that you may see; of an option root: those on its underlying, itself included.',
    ),
    RelatedOptionRoots: ifAny(
      Type.Array(Id),
      'Option chains',
      'The ids in RelatedOptionRootsEnhanced. Obsolete: only in the vendor profile.',
    ),
    SupportedOrderTypes: template(
      Type.Array(enums.PlaceableOrderType, { maxItems: 16 }),
      'Order types',
      'The order types that can be placed.',
    ),
    SupportedOrderTypeSettings: onRequest(
      Type.Array(values.SupportedOrderTypeSetting, { maxItems: 16 }),
      'Order durations',
      'The durations allowed for each order type. Only with FieldGroups=SupportedOrderTypeSettings.',
    ),
    TradableOn: computed(Type.Array(Type.String()), 'Tradable on', 'The ids of your accounts that may trade it.'),
    TradingSessions: ifAny(
      values.TradingSchedule,
      'Trading sessions',
      'The trading sessions of the next seven days. Only with FieldGroups=TradingSessions.',
    ),
    ...vendorOnly,
  },
} as const

export const fields = {
  ...fieldSections.Classification,
  ...fieldSections.Identifiers,
  ...fieldSections['Contract terms'],
  ...fieldSections['Bond terms'],
  ...fieldSections['Fund terms'],
  ...fieldSections.Features,
  ...fieldSections['Order size'],
  ...fieldSections.Pricing,
  ...fieldSections.Other,
} as const

type Fields = typeof fields
export type FieldName = keyof Fields
type NameOf<K extends Storage> = { [Name in FieldName]: Fields[Name]['storage'] extends K ? Name : never }[FieldName]

/** The names of the fields in a storage, in alphabetical order. */
export function fieldNames<K extends Storage>(...storages: K[]): NameOf<K>[] {
  const names = Object.keys(fields) as NameOf<K>[]
  return names.filter((name) => (storages as Storage[]).includes(fields[name].storage)).sort()
}

type WireSchema<Name extends FieldName> = Fields[Name] extends { wire: infer Wire } ? Wire : Fields[Name]['schema']

/** As `fieldSchemas`, but of responses, in which some fields have another form than in a record. */
export function wireSchemas<K extends Storage>(...storages: K[]): { [Name in NameOf<K>]: WireSchema<Name> } {
  const schemaOf = (name: FieldName) => ('wire' in fields[name] ? fields[name].wire : fields[name].schema)
  return Object.fromEntries(fieldNames(...storages).map((name) => [name, schemaOf(name)])) as never
}

/** The schemas of the fields in a storage, to spread into an object schema. */
export function fieldSchemas<K extends Storage>(...storages: K[]): { [Name in NameOf<K>]: Fields[Name]['schema'] } {
  return Object.fromEntries(fieldNames(...storages).map((name) => [name, fields[name].schema])) as never
}

type SecurityTerm = keyof typeof bondTerms | keyof typeof fundTerms
const securityTerms = new Set(Object.keys({ ...bondTerms, ...fundTerms }))

/** The schemas of fields that an option root can have, too. */
export function ofOptionRoots<Schemas extends object>(schemas: Schemas): Omit<Schemas, SecurityTerm> {
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => !securityTerms.has(name))) as never
}
