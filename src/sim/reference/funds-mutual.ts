import type { InstrumentRecord } from '../../instruments/import/schema.ts'
import { mutualFundTerms } from './terms.ts'

/** [Uic, name, ISIN, currency, net asset value]. */
type MutualFundRow = readonly [number, string, string, string, number]

/** Uics 3800 to 3899. */
const mutualFunds: MutualFundRow[] = [
  [3800, 'Vanguard LifeStrategy 60% Equity Fund A Acc', 'GB00B3TYHH97', 'GBP', 298.6],
  [3801, 'Vanguard LifeStrategy 80% Equity Fund A Acc', 'GB00B4PQW151', 'GBP', 362.4],
  [3802, 'Vanguard LifeStrategy 100% Equity Fund A Acc', 'GB00B41XG308', 'GBP', 438.2],
  [3803, 'Vanguard LifeStrategy 40% Equity Fund A Acc', 'GB00B3ZHN960', 'GBP', 232.1],
  [3804, 'Vanguard FTSE Global All Cap Index Fund A Acc', 'GB00BD3RZ582', 'GBP', 262.3],
  [3805, 'Fundsmith Equity Fund I Acc', 'GB00B41YBW71', 'GBP', 7.12],
  [3806, 'Baillie Gifford American Fund B Acc', 'GB0006061963', 'GBP', 18.6],
  [3807, 'Rathbone Global Opportunities Fund I Acc', 'GB00B7FQLN12', 'GBP', 4.62],
  [3808, 'Lindsell Train Global Equity Fund B GBP Dist', 'IE00B3NS4D25', 'GBP', 5.21],
  [3809, 'Fidelity Funds - World Fund A-Dist-EUR', 'LU0069449576', 'EUR', 41.2],
  [3810, 'Fidelity Funds - Global Technology Fund A-Dist-EUR', 'LU0099574567', 'EUR', 78.3],
  [3811, 'Fidelity Funds - European Growth Fund A-Dist-EUR', 'LU0048578792', 'EUR', 20.4],
  [3812, 'BGF World Mining Fund A2 USD', 'LU0075056555', 'USD', 86.2],
  [3813, 'BGF World Gold Fund A2 USD', 'LU0055631609', 'USD', 91.4],
  [3814, 'BGF Global Allocation Fund A2 USD', 'LU0072462426', 'USD', 88.7],
  [3815, 'BGF World Technology Fund A2 USD', 'LU0056508442', 'USD', 112.3],
  [3816, 'Templeton Global Bond Fund A (Mdis) USD', 'LU0029871042', 'USD', 11.8],
  [3817, 'DWS Top Dividende LD', 'DE0009848119', 'EUR', 152.3],
  [3818, 'DWS Vermoegensbildungsfonds I LD', 'DE0008476524', 'EUR', 342.6],
  [3819, 'DWS Akkumula LC', 'DE0008474024', 'EUR', 2284],
  [3820, 'DekaFonds CF', 'DE0008474503', 'EUR', 158.2],
  [3821, 'UniGlobal', 'DE0008491051', 'EUR', 462.8],
  [3822, 'Carmignac Patrimoine A EUR Acc', 'FR0010135103', 'EUR', 782.4],
  [3823, 'Carmignac Investissement A EUR Acc', 'FR0010148981', 'EUR', 2410],
  [3824, 'Flossbach von Storch Multiple Opportunities R', 'LU0323578657', 'EUR', 332.1],
  [3825, 'Morgan Stanley INVF Global Brands Fund A USD', 'LU0119620416', 'USD', 248.6],
  [3826, 'Allianz Income and Growth AM USD', 'LU0820561818', 'USD', 8.62],
  [3827, 'Pictet - Water P EUR', 'LU0104884860', 'EUR', 562.7],
  [3828, 'Nordea 1 - Stable Return Fund BP EUR', 'LU0227384020', 'EUR', 19.2],
  [3829, 'Nordea 1 - European Covered Bond Fund BP EUR', 'LU0076315455', 'EUR', 13.6],
  [3830, 'Robeco Global Consumer Trends D EUR', 'LU0187079347', 'EUR', 402.5],
  [3831, 'Robeco BP Global Premium Equities D EUR', 'LU0203975437', 'EUR', 466.2],
  [3832, 'Comgest Growth Europe EUR Acc', 'IE0004766675', 'EUR', 39.8],
  [3833, 'PIMCO GIS Income Fund Institutional USD Acc', 'IE00B87KCF77', 'USD', 18.6],
  [3834, 'Avanza Zero', 'SE0001718388', 'SEK', 512.6],
  [3835, 'Spiltan Aktiefond Investmentbolag', 'SE0004297927', 'SEK', 872.4],
  [3836, 'Swedbank Robur Technology A', 'SE0000538944', 'SEK', 1412],
  [3837, 'Vanguard 500 Index Fund Admiral Shares', 'US9229087104', 'USD', 622.4],
  [3838, 'Vanguard Total Stock Market Index Fund Admiral Shares', 'US9229087286', 'USD', 161.8],
  [3839, 'Fidelity 500 Index Fund', 'US3159117502', 'USD', 234.2],
]

/** A fund has no ticker that all agree on: its ISIN is its symbol. */
export function mutualFundRecords(): InstrumentRecord[] {
  return mutualFunds.map(([Uic, name, Isin, currency, price]) => ({
    Uic,
    Isin,
    ReferencePrice: price,
    Symbol: Isin,
    Description: name,
    ExchangeId: 'FUNDS',
    CurrencyCode: currency,
    IssuerCountry: Isin.slice(0, 2),
    Format: { Decimals: 2, OrderDecimals: 2 },
    TickSize: 0.01,
    OrderSetting: { Currency: currency, MinOrderValue: 100, MaxOrderValue: 1_000_000 },
    TradingStatus: 'Tradable',
    As: [{ AssetType: 'MutualFund', ...mutualFundTerms }],
  }))
}
