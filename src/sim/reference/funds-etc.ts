import type { ListedFundRow } from './funds.ts'

/** Notes secured by commodities, Uics 3250 to 3299. */
export const listedCommodities: ListedFundRow[] = [
  [3250, 'LSE', 'SGLN', 'iShares Physical Gold ETC', 'IE00B4ND3602', 6022],
  [3251, 'LSE', 'IGLN', 'iShares Physical Gold ETC', 'IE00B4ND3602', 79.2, { currency: 'USD' }],
  [3252, 'XETRA', 'PPFB', 'iShares Physical Gold ETC', 'IE00B4ND3602', 68.4],
  [3253, 'LSE', 'SGLD', 'Invesco Physical Gold ETC', 'IE00B579F325', 393.4, { currency: 'USD' }],
  [3254, 'XETRA', '4GLD', 'Xetra-Gold', 'DE000A0S9GB0', 113.2],
  [3255, 'LSE', 'PHAU', 'WisdomTree Physical Gold', 'JE00B1VS3770', 376.2, { currency: 'USD' }],
  [3256, 'LSE', 'PHAG', 'WisdomTree Physical Silver', 'JE00B1VS3333', 46.3, { currency: 'USD' }],
  [3257, 'LSE', 'PHPT', 'WisdomTree Physical Platinum', 'JE00B1VS2W53', 140.1, { currency: 'USD' }],
  [3258, 'LSE', 'PHPD', 'WisdomTree Physical Palladium', 'JE00B1VS3002', 125.6, { currency: 'USD' }],
  [
    3259,
    'LSE',
    'CRUD',
    'WisdomTree WTI Crude Oil',
    'GB00B15KXV33',
    10.1,
    { currency: 'USD', country: 'JE', complex: true },
  ],
  [3260, 'LSE', 'BRNT', 'WisdomTree Brent Crude Oil', 'JE00B78CGV99', 49.2, { currency: 'USD', complex: true }],
  [3261, 'LSE', 'COPA', 'WisdomTree Copper', 'GB00B15KXQ89', 41.8, { currency: 'USD', country: 'JE', complex: true }],
  [3262, 'PAR', 'GOLD', 'Amundi Physical Gold ETC', 'FR0013416716', 159.8],
]

/** Notes whose holder bears the issuer's risk, Uics 3300 to 3349. */
export const listedNotes: ListedFundRow[] = [
  [3300, 'NYSE_ARCA', 'DJP', 'iPath Bloomberg Commodity Index Total Return ETN', 'US06738C7781', 36.8],
  [3301, 'XETRA', 'VBTC', 'VanEck Bitcoin ETN', 'DE000A28M8D0', 47.6],
  [
    3302,
    'STO',
    'BITCOIN-XBTE',
    'CoinShares XBT Provider Bitcoin Tracker Euro',
    'SE0007525332',
    4120,
    { currency: 'EUR' },
  ],
]

/** Closed-end funds, Uics 3900 to 3949. */
export const closedEndFunds: ListedFundRow[] = [
  [3900, 'NYSE', 'PDI', 'PIMCO Dynamic Income Fund', 'US72201Y1010', 18.4],
  [3901, 'NYSE', 'ADX', 'Adams Diversified Equity Fund Inc.', 'US0062121043', 22.6],
  [3902, 'NYSE', 'GAB', 'Gabelli Equity Trust Inc.', 'US3623971013', 6.1],
  [3903, 'NYSE', 'UTF', 'Cohen & Steers Infrastructure Fund Inc.', 'US19248A1097', 24.7],
]
