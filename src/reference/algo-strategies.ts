import { type Static, Type } from 'typebox'
import { type AlgoStrategyName, AssetType, algoAssetTypes } from '../core/asset-type.ts'
import { describe, named, oneOf } from '../core/schema.ts'

const text = (description: string) => Type.String({ description })
const maybe = Type.Optional

const DataType = named(
  'AlgoParameterType',
  oneOf('Char', 'Int', 'Price', 'Qty', 'String', 'UtcTimeStamp'),
  'The type of a parameter’s value.',
)
const OrderType = named('AlgoOrderType', oneOf('Limit', 'Market'), 'An order type of a strategy.')
const DurationType = named('AlgoDurationType', oneOf('DayOrder'), 'How long an order of a strategy is valid.')

const ParameterValue = Type.Object(
  { Name: text('The name to display.'), Value: text('The value to send.') },
  { title: 'AlgoParameterValue' },
)
const Parameter = Type.Object(
  {
    DataType: describe(DataType, 'The type of its value.'),
    Description: text('What it does.'),
    DisplayName: text('The name to display.'),
    IsEditable: Type.Boolean({ description: 'Whether the user may change it.' }),
    IsMandatory: Type.Boolean({ description: 'Whether an order must have it.' }),
    MaxDayTimeValue: maybe(text('The latest time of day, for a UtcTimeStamp.')),
    MaxFloatValue: maybe(Type.Number({ description: 'The highest value, for a number.' })),
    MinDayTimeValue: maybe(text('The earliest time of day, for a UtcTimeStamp.')),
    MinFloatValue: maybe(Type.Number({ description: 'The lowest value, for a number.' })),
    Name: text('The name that identifies it.'),
    ParameterValues: maybe(Type.Array(ParameterValue, { description: 'The values to choose from, for a String.' })),
    UiDefaultValue: maybe(text('The value that a trade ticket suggests.')),
    UiOrderingIndex: Type.Integer({ description: 'Its position on a trade ticket.' }),
    UiStepSize: maybe(Type.Number({ description: 'The step between values, for a number.' })),
  },
  { title: 'AlgoParameter' },
)

/** §6.6. */
export const AlgoStrategy = Type.Object(
  {
    Description: text('What it does.'),
    MinAmountUSD: Type.Number({ description: 'The lowest value of an order, in US dollars.' }),
    Name: text('The name that identifies it.'),
    Parameters: Type.Array(Parameter, { description: 'Its parameters, in the order of a trade ticket.' }),
    SupportedDurationTypes: Type.Array(DurationType, { description: 'How long its orders may be valid.' }),
    SupportedOrderTypes: Type.Array(OrderType, { description: 'The order types it works with.' }),
    TradableInstrumentTypes: Type.Array(AssetType, { description: 'The asset types it works with.' }),
  },
  { title: 'AlgoStrategy' },
)
export type AlgoStrategy = Static<typeof AlgoStrategy>
type Parameter = Static<typeof Parameter>
type ParameterTerms = Omit<Parameter, 'UiOrderingIndex' | 'IsEditable'>

const timeOfDay = (Name: string, DisplayName: string, Description: string): ParameterTerms => ({
  ...{ DataType: 'UtcTimeStamp', Name, DisplayName, Description, IsMandatory: false },
  ...{ MinDayTimeValue: '00:00:00', MaxDayTimeValue: '23:59:59' },
})
const startTime = timeOfDay('StartTime', 'Start time', 'When to start, in UTC. Default: immediately.')
const endTime = timeOfDay('EndTime', 'End time', 'When to stop, in UTC. Default: the end of the session.')

const percentage = (
  Name: string,
  DisplayName: string,
  Description: string,
  UiDefaultValue: string,
): ParameterTerms => ({
  ...{ DataType: 'Int', Name, DisplayName, Description, IsMandatory: true, UiDefaultValue },
  ...{ MinFloatValue: 1, MaxFloatValue: 50, UiStepSize: 1 },
})
const urgency: ParameterTerms = {
  ...{ DataType: 'String', Name: 'Urgency', DisplayName: 'Urgency', IsMandatory: true, UiDefaultValue: 'Medium' },
  Description: 'How quickly to trade. A higher urgency accepts a greater effect on the price.',
  ParameterValues: ['Low', 'Medium', 'High'].map((value) => ({ Name: value, Value: value })),
}

const strategy = (Name: AlgoStrategyName, Description: string, ...parameters: ParameterTerms[]): AlgoStrategy => ({
  Description,
  MinAmountUSD: 1_000,
  Name,
  Parameters: parameters.map((each, index) => ({ ...each, IsEditable: true, UiOrderingIndex: index + 1 })),
  SupportedDurationTypes: ['DayOrder'],
  SupportedOrderTypes: ['Limit', 'Market'],
  TradableInstrumentTypes: algoAssetTypes,
})

/** By name. */
export const algoStrategies: readonly AlgoStrategy[] = [
  strategy(
    'Iceberg',
    'Shows only part of the order at a time.',
    percentage(
      'DisplaySize',
      'Displayed part',
      'The share of the amount that is visible in the order book, in percent.',
      '10',
    ),
  ),
  strategy(
    'Implementation Shortfall',
    'Keeps the average price close to the market price when the order was placed.',
    urgency,
    startTime,
    endTime,
  ),
  strategy('TWAP', 'Spreads the order evenly over time.', startTime, endTime),
  strategy(
    'VWAP',
    'Follows the average price of the market, weighted by volume.',
    percentage(
      'MaxParticipation',
      'Maximum participation',
      'The highest share of the traded volume, in percent.',
      '25',
    ),
    startTime,
    endTime,
  ),
  strategy(
    'With Volume',
    'Trades a share of the volume of the market.',
    percentage('Participation', 'Participation', 'The target share of the traded volume, in percent.', '10'),
    startTime,
    endTime,
  ),
]

/** In any case. */
export function findStrategy(name: string): AlgoStrategy | undefined {
  const wanted = name.toLowerCase()
  return algoStrategies.find(({ Name }) => Name.toLowerCase() === wanted)
}
