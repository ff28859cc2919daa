import type { InstrumentRecord } from '../../instruments/import/schema.ts'
import { bondTerms } from './terms.ts'

/** [Uic, coupon in percent, maturity, ISIN, price in percent of the nominal]. */
type BondRow = readonly [number, number, string, string, number]

const unitedStates: BondRow[] = [
  [3500, 0.625, '2030-05-15', 'US912828ZQ64', 86.7],
  [3501, 0.625, '2030-08-15', 'US91282CAE12', 85.9],
  [3502, 0.875, '2030-11-15', 'US91282CAV37', 86.1],
  [3503, 1.125, '2031-02-15', 'US91282CBL46', 86.6],
  [3504, 1.625, '2031-05-15', 'US91282CCB54', 88.3],
  [3505, 4.125, '2032-11-15', 'US91282CFV81', 101.2],
  [3506, 3.5, '2033-02-15', 'US91282CGM73', 97.2],
  [3507, 3.875, '2033-08-15', 'US91282CHT18', 99.1],
  [3508, 4, '2034-02-15', 'US91282CJZ59', 99.5],
  [3509, 4.375, '2034-05-15', 'US91282CKQ32', 102.1],
  [3510, 3.875, '2034-08-15', 'US91282CLF67', 98.3],
  [3511, 4.25, '2034-11-15', 'US91282CLW90', 100.9],
  [3512, 4.625, '2035-02-15', 'US91282CMM00', 103.8],
  [3513, 4.25, '2035-05-15', 'US91282CNC19', 100.8],
  [3514, 4.25, '2035-08-15', 'US91282CNT44', 100.7],
  [3515, 4, '2042-11-15', 'US912810TM09', 92.8],
  [3516, 2.75, '2047-11-15', 'US912810RZ30', 71.3],
  [3517, 2.375, '2051-05-15', 'US912810SX72', 62.4],
  [3518, 4, '2052-11-15', 'US912810TL26', 88.1],
  [3519, 3.625, '2053-02-15', 'US912810TN81', 82.2],
  [3520, 4.75, '2053-11-15', 'US912810TV08', 99.6],
  [3521, 4.625, '2054-05-15', 'US912810UA42', 97.7],
]

const germany: BondRow[] = [
  [3530, 0.5, '2028-02-15', 'DE0001102440', 96.6],
  [3531, 0.25, '2029-02-15', 'DE0001102465', 93.9],
  [3532, 0, '2031-02-15', 'DE0001102531', 88.2],
  [3533, 0, '2031-08-15', 'DE0001102564', 86.9],
  [3534, 0, '2032-02-15', 'DE0001102580', 85.4],
  [3535, 1.7, '2032-08-15', 'DE0001102606', 95.2],
  [3536, 2.3, '2033-02-15', 'DE000BU2Z007', 98.4],
  [3537, 2.6, '2033-08-15', 'DE000BU2Z015', 100.2],
  [3538, 2.2, '2034-02-15', 'DE000BU2Z023', 96.9],
  [3539, 2.6, '2034-08-15', 'DE000BU2Z031', 99.6],
  [3540, 2.5, '2035-02-15', 'DE000BU2Z049', 98.5],
  [3541, 2.6, '2035-08-15', 'DE000BU2Z056', 99.1],
  [3542, 4, '2037-01-04', 'DE0001135275', 112.1],
  [3543, 4.75, '2040-07-04', 'DE0001135366', 120.6],
  [3544, 2.5, '2044-07-04', 'DE0001135481', 90.4],
  [3545, 2.5, '2046-08-15', 'DE0001102341', 89.2],
  [3546, 1.25, '2048-08-15', 'DE0001102432', 67.9],
  [3547, 0, '2050-08-15', 'DE0001102481', 45.8],
  [3548, 1.8, '2053-08-15', 'DE0001102614', 71.6],
]

const unitedKingdom: BondRow[] = [
  [3560, 1.625, '2028-10-22', 'GB00BFX0ZL78', 94.6],
  [3561, 6, '2028-12-07', 'GB0002404191', 106.1],
  [3562, 0.875, '2029-10-22', 'GB00BJMHB534', 89.1],
  [3563, 0.375, '2030-10-22', 'GB00BL68HH02', 84.2],
  [3564, 4.75, '2030-12-07', 'GB00B24FF097', 103.2],
  [3565, 0.25, '2031-07-31', 'GB00BMGR2809', 80.9],
  [3566, 1, '2032-01-31', 'GB00BM8Z2T38', 82.8],
  [3567, 4.25, '2032-06-07', 'GB0004893086', 100.8],
  [3568, 3.25, '2033-01-31', 'GB00BMV7TC88', 93.9],
  [3569, 4.625, '2034-01-31', 'GB00BPJJKN53', 101.7],
  [3570, 4.25, '2034-07-31', 'GB00BQC82C90', 98.6],
  [3571, 4.5, '2034-09-07', 'GB00B52WS153', 100.6],
  [3572, 0.625, '2035-07-31', 'GB00BMGR2916', 70.1],
  [3573, 4.25, '2036-03-07', 'GB0032452392', 97.3],
  [3574, 4.75, '2038-12-07', 'GB00B00NY175', 99.2],
  [3575, 4.25, '2040-12-07', 'GB00B6460505', 91.9],
  [3576, 4.5, '2042-12-07', 'GB00B1VWPJ53', 92.4],
  [3577, 3.25, '2044-01-22', 'GB00B84Z9V04', 76.8],
  [3578, 3.5, '2045-01-22', 'GB00BN65R313', 78.9],
  [3579, 4.25, '2049-12-07', 'GB00B39R3707', 85.6],
  [3580, 0.625, '2050-10-22', 'GB00BMBL1F74', 38.4],
  [3581, 1.25, '2051-07-31', 'GB00BLH38158', 44.2],
  [3582, 1.5, '2053-07-31', 'GB00BM8Z2V59', 45.9],
  [3583, 4.25, '2055-12-07', 'GB00B06YGN05', 84.1],
  [3584, 3.5, '2068-07-22', 'GB00BBJNQY21', 70.6],
]

const france: BondRow[] = [
  [3590, 0.75, '2028-02-25', 'FR001400AIN5', 96.6],
  [3591, 0.75, '2028-05-25', 'FR0013286192', 96.1],
  [3592, 5.5, '2029-04-25', 'FR0000571218', 109.1],
  [3593, 0.5, '2029-05-25', 'FR0013407236', 93.1],
  [3594, 0, '2030-11-25', 'FR0013516549', 86.9],
  [3595, 0, '2031-11-25', 'FR0014002WK3', 83.9],
  [3596, 0, '2032-05-25', 'FR0014007L00', 82.2],
  [3597, 5.75, '2032-10-25', 'FR0000187635', 115.8],
  [3598, 2, '2032-11-25', 'FR001400BKZ3', 93.1],
  [3599, 3, '2033-05-25', 'FR001400H7V7', 98.4],
  [3600, 3.5, '2033-11-25', 'FR001400L834', 101.2],
  [3601, 3, '2034-11-25', 'FR001400QMF9', 96.8],
  [3602, 4.75, '2035-04-25', 'FR0010070060', 110.4],
  [3603, 4, '2038-10-25', 'FR0010371401', 102.9],
  [3604, 4.5, '2041-04-25', 'FR0010773192', 106.8],
  [3605, 3.25, '2045-05-25', 'FR0011461037', 88.6],
  [3606, 1.5, '2050-05-25', 'FR0013404969', 58.4],
  [3607, 3, '2054-05-25', 'FR001400FTH3', 78.9],
  [3608, 4, '2055-04-25', 'FR0010171975', 94.1],
  [3609, 1.75, '2066-05-25', 'FR0013154028', 51.2],
]

const italy: BondRow[] = [
  [3620, 5.25, '2029-11-01', 'IT0001278511', 110.2],
  [3621, 6, '2031-05-01', 'IT0001444378', 116.1],
  [3622, 0.6, '2031-08-01', 'IT0005436693', 88.4],
  [3623, 5.75, '2033-02-01', 'IT0003256820', 117.8],
  [3624, 4.4, '2033-05-01', 'IT0005518128', 109.1],
  [3625, 4.2, '2034-03-01', 'IT0005560948', 107.4],
  [3626, 5, '2034-08-01', 'IT0003535157', 113.4],
  [3627, 4, '2037-02-01', 'IT0003934657', 104.6],
]

const spain: BondRow[] = [
  [3635, 5.75, '2032-07-30', 'ES0000012411', 117.2],
  [3636, 3.55, '2033-10-31', 'ES0000012L78', 103.8],
  [3637, 3.25, '2034-04-30', 'ES0000012M85', 101.2],
  [3638, 4.9, '2040-07-30', 'ES00000120N0', 114.6],
]

const netherlands: BondRow[] = [
  [3645, 5.5, '2028-01-15', 'NL0000102317', 107.1],
  [3646, 2.5, '2033-01-15', 'NL0010071189', 99.2],
  [3647, 4, '2037-01-15', 'NL0000102234', 110.9],
]

/** [... as above, then symbol, issuer, country, currency, smallest nominal amount]. */
type IssuedBondRow = readonly [...BondRow, string, string, string, string, number]

/** Other states, the Union and companies, Uics 3700 to 3799. */
const others: IssuedBondRow[] = [
  [3700, 2.1, '2117-09-20', 'AT0000A1XML2', 66.4, 'AT', 'Republic of Austria', 'AT', 'EUR', 1000],
  [3701, 4.5, '2039-11-15', 'DK0009922320', 118.2, 'DGB', 'Kingdom of Denmark', 'DK', 'DKK', 1000],
  [3702, 3.5, '2039-03-30', 'SE0002829192', 106.1, 'SGB', 'Kingdom of Sweden', 'SE', 'SEK', 5000],
  [3703, 0.4, '2037-02-04', 'EU000A3K4C42', 73.2, 'EU', 'European Union', 'BE', 'EUR', 1000],
  [3704, 0, '2031-07-04', 'EU000A3KSXE1', 86.1, 'EU', 'European Union', 'BE', 'EUR', 1000],
  [3705, 5.75, '2110-10-12', 'US91086QAZ19', 84.6, 'MEX', 'United Mexican States', 'MX', 'USD', 1000],
  [3706, 7.125, '2037-01-20', 'US105756BK57', 110.8, 'BRAZIL', 'Federative Republic of Brazil', 'BR', 'USD', 1000],
  [3707, 3.85, '2043-05-04', 'US037833AL42', 86.4, 'AAPL', 'Apple Inc.', 'US', 'USD', 2000],
  [3708, 4.45, '2044-05-06', 'US037833AT77', 92.9, 'AAPL', 'Apple Inc.', 'US', 'USD', 2000],
  [3709, 3.45, '2045-02-09', 'US037833BA77', 79.6, 'AAPL', 'Apple Inc.', 'US', 'USD', 2000],
  [3710, 4.65, '2046-02-23', 'US037833BX70', 93.8, 'AAPL', 'Apple Inc.', 'US', 'USD', 2000],
  [3711, 3.7, '2046-08-08', 'US594918BT09', 82.6, 'MSFT', 'Microsoft Corp.', 'US', 'USD', 2000],
  [3712, 2.525, '2050-06-01', 'US594918CC64', 63.2, 'MSFT', 'Microsoft Corp.', 'US', 'USD', 2000],
  [3713, 2.921, '2052-03-17', 'US594918CE21', 67.4, 'MSFT', 'Microsoft Corp.', 'US', 'USD', 2000],
  [3714, 3.875, '2037-08-22', 'US023135BF28', 92.4, 'AMZN', 'Amazon.com Inc.', 'US', 'USD', 2000],
  [3715, 4.05, '2047-08-22', 'US023135BJ40', 84.2, 'AMZN', 'Amazon.com Inc.', 'US', 'USD', 2000],
  [3716, 4.329, '2028-09-21', 'US92343VER15', 100.9, 'VZ', 'Verizon Communications Inc.', 'US', 'USD', 2000],
  [3717, 3.5, '2053-09-15', 'US00206RKJ04', 69.2, 'T', 'AT&T Inc.', 'US', 'USD', 2000],
  [3718, 4.2, '2048-08-15', 'US084664CQ25', 85.9, 'BRK', 'Berkshire Hathaway Finance Corp.', 'US', 'USD', 2000],
  [3719, 6.75, '2032-03-15', 'US36962GXZ26', 113.6, 'GE', 'General Electric Co.', 'US', 'USD', 1000],
  [3720, 6.75, '2037-10-01', 'US38141GFD16', 111.7, 'GS', 'Goldman Sachs Group Inc.', 'US', 'USD', 1000],
  [3721, 6.5, '2037-08-15', 'US931142CK74', 117.8, 'WMT', 'Walmart Inc.', 'US', 'USD', 1000],
  [3722, 3.6, '2050-04-01', 'US68389XBX21', 68.1, 'ORCL', 'Oracle Corp.', 'US', 'USD', 2000],
  [3723, 7.2, '2039-03-15', 'US717081CY74', 121.2, 'PFE', 'Pfizer Inc.', 'US', 'USD', 1000],
  [3724, 6.375, '2038-12-15', 'US822582AD40', 112.3, 'SHEL', 'Shell International Finance BV', 'NL', 'USD', 1000],
  [
    3725,
    8.75,
    '2030-06-15',
    'US25156PAC77',
    117.2,
    'DT',
    'Deutsche Telekom International Finance BV',
    'NL',
    'USD',
    1000,
  ],
  [3726, 9.625, '2030-12-15', 'US111021AE12', 122.3, 'BRITEL', 'British Telecommunications plc', 'GB', 'USD', 1000],
  [3727, 9, '2031-03-01', 'US35177PAL13', 120.6, 'ORAFP', 'Orange SA', 'FR', 'USD', 1000],
  [3728, 6.85, '2115-06-05', 'US71647NAN93', 93.4, 'PETBRA', 'Petrobras Global Finance BV', 'NL', 'USD', 2000],
  [3729, 4.9, '2046-02-01', 'US03522AAJ97', 93.6, 'ABIBB', 'Anheuser-Busch InBev Finance', 'BE', 'USD', 1000],
]

function issuedBy(symbol: string, issuer: string, country: string, currency: string, rows: BondRow[]): IssuedBondRow[] {
  return rows.map((row) => [...row, symbol, issuer, country, currency, 1000])
}

const bonds: IssuedBondRow[] = [
  ...issuedBy('UST', 'United States Treasury', 'US', 'USD', unitedStates),
  ...issuedBy('DBR', 'Bundesrepublik Deutschland', 'DE', 'EUR', germany),
  ...issuedBy('UKT', 'United Kingdom Gilt', 'GB', 'GBP', unitedKingdom),
  ...issuedBy('FRTR', 'French Republic OAT', 'FR', 'EUR', france),
  ...issuedBy('BTPS', 'Buoni Poliennali del Tesoro', 'IT', 'EUR', italy),
  ...issuedBy('SPGB', 'Kingdom of Spain', 'ES', 'EUR', spain),
  ...issuedBy('NETHER', 'Kingdom of the Netherlands', 'NL', 'EUR', netherlands),
  ...others,
]

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Bonds that are not yet repaid. */
export function bondRecords(today: Temporal.PlainDate): InstrumentRecord[] {
  return bonds.filter(([, , maturity]) => maturity > today.toString()).map(bondRecord)
}

function bondRecord(row: IssuedBondRow): InstrumentRecord {
  const [Uic, coupon, maturity, Isin, price, symbol, issuer, country, currency, nominal] = row
  const [year, month, day] = maturity.split('-')
  return {
    Uic,
    Isin,
    ReferencePrice: price,
    Symbol: `${symbol}-${coupon}-${maturity.slice(0, 7)}`,
    Description: `${issuer} ${coupon}% ${day} ${monthNames[Number(month) - 1]} ${year}`,
    ExchangeId: 'BONDS',
    CurrencyCode: currency,
    IssuerCountry: country,
    DefaultAmount: 10 * nominal,
    IncrementSize: nominal,
    MinimumTradeSize: nominal,
    StandardAmounts: [1, 5, 10, 25, 50, 100].map((multiple) => multiple * nominal),
    OrderSetting: { Currency: currency, MinOrderValue: nominal, MaxOrderValue: 5_000_000 },
    // Dealt by telephone only: such long bonds are rarely quoted.
    TradingStatus: Number(year) > 2100 ? 'NotDefined' : 'Tradable',
    As: [{ AssetType: 'Bond', ...bondTerms }],
  }
}
