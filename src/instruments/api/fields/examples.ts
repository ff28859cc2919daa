/** Example responses from the demo data. Days are written without a time; the wire profile adds it. */

const exchange = {
  CountryCode: 'US',
  ExchangeId: 'NASDAQ',
  Name: 'NASDAQ',
  PriceSourceName: 'NASDAQ',
  TimeZoneId: '3',
}

export const summaryExample = {
  Identifier: 1000,
  AssetType: 'Stock',
  CurrencyCode: 'USD',
  ExchangeCountry: 'US',
  ExchangeId: 'NASDAQ',
  ExchangeName: 'NASDAQ',
  IssuerCountry: 'US',
  SummaryType: 'Instrument',
  Description: 'Apple Inc.',
  Symbol: 'AAPL:xnas',
  GroupId: 0,
  IsKeywordMatch: true,
  TradableAs: ['Stock', 'CfdOnStock'],
}

export const detailsExample = {
  Uic: 1000,
  AssetType: 'Stock',
  Description: 'Apple Inc.',
  Symbol: 'AAPL:xnas',
  CurrencyCode: 'USD',
  Exchange: exchange,
  Format: { Decimals: 2, OrderDecimals: 2 },
  DefaultAmount: 100,
  MinimumLotSize: 1,
  TickSize: 0.01,
  TickSizeScheme: { DefaultTickSize: 0.01, Elements: [{ HighPrice: 1, TickSize: 0.0001 }] },
  SupportedOrderTypes: ['Limit', 'Market', 'StopIfTraded', 'StopLimit', 'TrailingStopIfTraded'],
  RelatedOptionRootsEnhanced: [{ AssetType: 'StockOption', OptionRootId: 1, OptionType: 'Default' }],
  TradingStatus: 'Tradable',
  IsTradable: true,
  NonTradableReason: 'None',
  TradableAs: ['Stock', 'CfdOnStock'],
  TradableOn: ['9226397', '9226398'],
}

export const optionSpaceExample = {
  OptionRootId: 1,
  AssetType: 'StockOption',
  Description: 'Apple Inc. - Options',
  Symbol: 'AAPL:xcbo',
  UnderlyingUic: 1000,
  UnderlyingAssetType: 'Stock',
  ContractSize: 100,
  CurrencyCode: 'USD',
  ExerciseStyle: 'American',
  SettlementStyle: 'PhysicalDelivery',
  Exchange: { CountryCode: 'US', ExchangeId: 'CBOE', Name: 'Cboe Options Exchange', TimeZoneId: '3' },
  IsTradable: true,
  NonTradableReason: 'None',
  TradableOn: ['9226397', '9226398'],
  OptionSpace: [
    {
      DisplayDaysToExpiry: 32,
      DisplayDaysToLastTradeDate: 32,
      DisplayExpiry: '2026-12-01',
      Expiry: '2026-12-18',
      LastTradeDate: '2026-12-18T21:00:00.000000Z',
    },
  ],
}

export const futuresSpaceExample = {
  BaseIdentifier: 'ES',
  Elements: [
    { DaysToExpiry: 32, ExpiryDate: '2026-12-18', Symbol: 'ESZ6', Uic: 5124 },
    { DaysToExpiry: 123, ExpiryDate: '2027-03-19', Symbol: 'ESH7', Uic: 5127 },
  ],
}

const timeZone = { TimeZone: 3, TimeZoneAbbreviation: 'EST', TimeZoneOffset: '-05:00:00' }

export const scheduleExample = {
  Sessions: [
    { StartTime: '2026-11-16T09:00:00.000000Z', EndTime: '2026-11-16T14:30:00.000000Z', State: 'PreMarket' },
    { StartTime: '2026-11-16T14:30:00.000000Z', EndTime: '2026-11-16T21:00:00.000000Z', State: 'AutomatedTrading' },
    { StartTime: '2026-11-16T21:00:00.000000Z', EndTime: '2026-11-17T01:00:00.000000Z', State: 'PostMarket' },
    { StartTime: '2026-11-17T01:00:00.000000Z', EndTime: '2026-11-17T09:00:00.000000Z', State: 'Closed' },
  ],
  ...timeZone,
}

export const exchangeExample = {
  AllDay: false,
  CountryCode: 'US',
  Currency: 'USD',
  ExchangeId: 'NASDAQ',
  ExchangeSessions: [
    { StartTime: '2026-11-13T21:00:00.000000Z', EndTime: '2026-11-16T14:30:00.000000Z', State: 'Closed' },
    { StartTime: '2026-11-16T14:30:00.000000Z', EndTime: '2026-11-16T21:00:00.000000Z', State: 'AutomatedTrading' },
    { StartTime: '2026-11-16T21:00:00.000000Z', EndTime: '2026-11-17T14:30:00.000000Z', State: 'Closed' },
  ],
  Mic: 'XNAS',
  Name: 'NASDAQ',
  PriceSourceName: 'NASDAQ',
  TimeZoneId: '3',
  ...timeZone,
}

export const earlierSessionsExample = {
  ExchangeId: 'ASX',
  Sessions: [
    { StartTime: '2026-11-15T23:00:00.000000Z', EndTime: '2026-11-16T05:00:00.000000Z', State: 'AutomatedTrading' },
  ],
}

export const exchangeScheduleExample = { Sessions: exchangeExample.ExchangeSessions, ...timeZone }

export const holidaysExample = {
  ExchangeId: 'NASDAQ',
  Name: 'NASDAQ',
  CountryCode: 'US',
  TimeZone: 'America/New_York',
  TimeZoneId: '3',
  Data: [{ Date: '2026-11-26', Name: 'Thanksgiving Day' }],
  EarlyCloses: [{ Date: '2026-11-27', Time: '13:00', Name: 'Day after Thanksgiving' }],
  LateOpens: [],
}

export const tradabilityExample = {
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
