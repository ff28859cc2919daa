import type { InstrumentRecord } from '../../instruments/import/schema.ts'
import { decimalsOf } from './futures-terms.ts'
import { indexCfdTerms } from './terms.ts'

/** [Uic, symbol, name, exchange, currency, issuer country, level]. */
type IndexRow = readonly [number, string, string, string, string, string, number]

/** Uics 4300 to 4399. */
const indices: IndexRow[] = [
  [4300, 'SPX.I', 'S&P 500 Index', 'CBOE', 'USD', 'US', 6728.8],
  [4301, 'NDX.I', 'Nasdaq-100 Index', 'NASDAQ', 'USD', 'US', 25_059.8],
  [4302, 'DJI.I', 'Dow Jones Industrial Average', 'NYSE', 'USD', 'US', 46_987.1],
  [4303, 'RUT.I', 'Russell 2000 Index', 'NYSE_ARCA', 'USD', 'US', 2432.8],
  [4304, 'VIX.I', 'Cboe Volatility Index', 'CBOE', 'USD', 'US', 19.08],
  [4305, 'DAX.I', 'DAX 40 Index', 'XETRA', 'EUR', 'DE', 23_570],
  [4306, 'SX5E.I', 'EURO STOXX 50 Index', 'EUREX', 'EUR', 'DE', 5566.5],
  [4307, 'FTSE.I', 'FTSE 100 Index', 'LSE', 'GBP', 'GB', 9682.6],
  [4308, 'CAC.I', 'CAC 40 Index', 'PAR', 'EUR', 'FR', 7950.2],
  [4309, 'AEX.I', 'AEX Index', 'AMS', 'EUR', 'NL', 952.1],
  [4310, 'SMI.I', 'Swiss Market Index', 'SIX', 'CHF', 'CH', 12_298.6],
  [4311, 'OMXC25.I', 'OMX Copenhagen 25 Index', 'CPH', 'DKK', 'DK', 1812.4],
  [4312, 'OMXS30.I', 'OMX Stockholm 30 Index', 'STO', 'SEK', 'SE', 2742.7],
  [4313, 'N225.I', 'Nikkei 225 Index', 'TYO', 'JPY', 'JP', 50_276.4],
  [4314, 'HSI.I', 'Hang Seng Index', 'HKEX', 'HKD', 'HK', 26_241.8],
  [4315, 'XJO.I', 'S&P/ASX 200 Index', 'ASX', 'AUD', 'AU', 8769.7],
  [4316, 'IBEX.I', 'IBEX 35 Index', 'BME', 'EUR', 'ES', 15_901.4],
  [4317, 'FTSEMIB.I', 'FTSE MIB Index', 'MIL', 'EUR', 'IT', 42_918],
  [4318, 'TSX60.I', 'S&P/TSX 60 Index', 'TSX', 'CAD', 'CA', 1748.9],
  [4319, 'STI.I', 'Straits Times Index', 'SGX', 'SGD', 'SG', 4492.2],
  [4320, 'IBOV.I', 'Ibovespa Index', 'BVMF', 'BRL', 'BR', 154_063.5],
  [4321, 'J200.I', 'FTSE/JSE Top 40 Index', 'JSE', 'ZAR', 'ZA', 101_870],
  [4322, 'HSCE.I', 'Hang Seng China Enterprises Index', 'HKEX', 'HKD', 'HK', 9267.6],
  [4323, 'TPX.I', 'TOPIX Index', 'TYO', 'JPY', 'JP', 3298.9],
  [4324, 'MDAX.I', 'MDAX Index', 'XETRA', 'EUR', 'DE', 29_012.5],
  [4325, 'TDXP.I', 'TecDAX Index', 'XETRA', 'EUR', 'DE', 3489.2],
  [4326, 'SXXP.I', 'STOXX Europe 600 Index', 'EUREX', 'EUR', 'DE', 564.8],
  [4327, 'MCX.I', 'FTSE 250 Index', 'LSE', 'GBP', 'GB', 21_829.4],
]

/** [Uic, symbol, name, exchange whose hours it keeps, the index, tick]. */
type IndexCfdRow = readonly [number, string, string, string, string, number]

/** Uics 4400 to 4449. Where futures on the index trade longer than its shares, the CFD does so too. */
const indexCfds: IndexCfdRow[] = [
  [4400, 'US500.I', 'US 500', 'CME', 'SPX.I', 0.01],
  [4401, 'USNAS100.I', 'US Tech 100 NAS', 'CME', 'NDX.I', 0.01],
  [4402, 'US30.I', 'US 30 Wall Street', 'CBOT', 'DJI.I', 1],
  [4403, 'US2000.I', 'US 2000', 'CME', 'RUT.I', 0.01],
  [4404, 'DE40.I', 'Germany 40', 'EUREX', 'DAX.I', 0.01],
  [4405, 'EU50.I', 'EU Stocks 50', 'EUREX', 'SX5E.I', 0.01],
  [4406, 'UK100.I', 'UK 100', 'LSE', 'FTSE.I', 0.01],
  [4407, 'FRA40.I', 'France 40', 'PAR', 'CAC.I', 0.01],
  [4408, 'NL25.I', 'Netherlands 25', 'AMS', 'AEX.I', 0.01],
  [4409, 'SWI20.I', 'Switzerland 20', 'EUREX', 'SMI.I', 0.01],
  [4410, 'ESP35.I', 'Spain 35', 'BME', 'IBEX.I', 0.1],
  [4411, 'IT40.I', 'Italy 40', 'MIL', 'FTSEMIB.I', 1],
  [4412, 'DEN25.I', 'Denmark 25', 'CPH', 'OMXC25.I', 0.01],
  [4413, 'SWE30.I', 'Sweden 30', 'STO', 'OMXS30.I', 0.01],
  [4414, 'JP225.I', 'Japan 225', 'TYO', 'N225.I', 1],
  [4415, 'HK50.I', 'Hong Kong 50', 'HKEX', 'HSI.I', 1],
  [4416, 'AUS200.I', 'Australia 200', 'ASX', 'XJO.I', 0.1],
  [4417, 'CAN60.I', 'Canada 60', 'TSX', 'TSX60.I', 0.1],
  [4418, 'ZA40.I', 'South Africa 40', 'JSE', 'J200.I', 1],
]

/** Indices cannot be traded themselves. */
export function indexRecords(): InstrumentRecord[] {
  return indices.map(([Uic, symbol, name, exchange, currency, country, level]) => {
    const cfd = indexCfds.find(([, , , , underlying]) => underlying === symbol)
    return {
      Uic,
      ReferencePrice: level,
      Symbol: symbol,
      Description: name,
      ExchangeId: exchange,
      CurrencyCode: currency,
      IssuerCountry: country,
      DisplayHint: 'StockIndices',
      Format: { Decimals: 2 },
      IsComplex: false,
      TickSize: 0.01,
      TradingStatus: 'NonTradable',
      ...(cfd ? { RelatedInstruments: [{ AssetType: 'CfdOnIndex' as const, Uic: cfd[0] }] } : {}),
      As: [{ AssetType: 'StockIndex' }],
    }
  })
}

export function indexCfdRecords(): InstrumentRecord[] {
  return indexCfds.flatMap(([Uic, symbol, name, exchange, underlying, tick]) => {
    const index = indices.find(([, indexSymbol]) => indexSymbol === underlying)
    if (index === undefined) return []
    const [UnderlyingUic, , , , currency, country, level] = index
    const decimals = decimalsOf(tick)
    return {
      Uic,
      ReferencePrice: Number(level.toFixed(decimals)),
      Symbol: symbol,
      Description: name,
      ExchangeId: exchange,
      CurrencyCode: currency,
      IssuerCountry: country,
      Format: { Decimals: decimals, OrderDecimals: decimals },
      OrderSetting: { Currency: currency, MaxOrderSize: 1000 },
      TickSize: tick,
      TradingStatus: 'Tradable',
      UnderlyingAssetType: 'StockIndex',
      UnderlyingUic,
      RelatedInstruments: [{ AssetType: 'StockIndex', Uic: UnderlyingUic }],
      As: [{ AssetType: 'CfdOnIndex', ...indexCfdTerms }],
    }
  })
}
