import {
  centTicks,
  hongKongTicks,
  johannesburgTicks,
  mifidTicksOfLessLiquid,
  mifidTicksOfLiquid,
  singaporeTicks,
  sydneyTicks,
  type TickSizeScheme,
  tokyoTicks,
  torontoTicks,
  usTicks,
} from './stocks-ticks.ts'

/** How shares and exchange traded products are quoted and dealt on an exchange. */
export type Market = {
  mic: string
  currency: string
  /** What prices are quoted in, where it is not the currency: pence in London, cents in Johannesburg. */
  priceCurrency?: string
  ticks: TickSizeScheme
  /** Shares of a board lot, unless the stock has one of its own. */
  lot?: number
  /** Whether orders for parts of a board lot are taken. */
  oddLots?: boolean
}

const unitedStates = { currency: 'USD', ticks: usTicks, lot: 100, oddLots: true }
const euro = { currency: 'EUR', ticks: mifidTicksOfLiquid }

export const markets = {
  NASDAQ: { mic: 'xnas', ...unitedStates },
  NYSE: { mic: 'xnys', ...unitedStates },
  NYSE_ARCA: { mic: 'arcx', ...unitedStates },
  TSX: { mic: 'xtse', currency: 'CAD', ticks: torontoTicks, lot: 100, oddLots: true },
  BVMF: { mic: 'bvmf', currency: 'BRL', ticks: centTicks, lot: 100 },
  LSE: { mic: 'xlon', currency: 'GBP', priceCurrency: 'GBX', ticks: mifidTicksOfLiquid },
  PAR: { mic: 'xpar', ...euro },
  AMS: { mic: 'xams', ...euro },
  XETRA: { mic: 'xetr', ...euro },
  MIL: { mic: 'xmil', ...euro },
  BME: { mic: 'xmad', currency: 'EUR', ticks: mifidTicksOfLessLiquid },
  SIX: { mic: 'xswx', currency: 'CHF', ticks: mifidTicksOfLiquid },
  CPH: { mic: 'xcse', currency: 'DKK', ticks: mifidTicksOfLessLiquid },
  STO: { mic: 'xsto', currency: 'SEK', ticks: mifidTicksOfLiquid },
  JSE: { mic: 'xjse', currency: 'ZAR', priceCurrency: 'ZAC', ticks: johannesburgTicks },
  TYO: { mic: 'xtks', currency: 'JPY', ticks: tokyoTicks, lot: 100 },
  HKEX: { mic: 'xhkg', currency: 'HKD', ticks: hongKongTicks, lot: 100 },
  ASX: { mic: 'xasx', currency: 'AUD', ticks: sydneyTicks },
  SGX: { mic: 'xses', currency: 'SGD', ticks: singaporeTicks, lot: 100 },
} satisfies Record<string, Market>

export type MarketId = keyof typeof markets
