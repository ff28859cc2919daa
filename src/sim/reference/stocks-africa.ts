import type { StockRow } from './stocks.ts'

/** Johannesburg, in cents, Uics 1900 to 1939. */
export const johannesburgStocks: StockRow[] = [
  [1900, 'PRX', 'Prosus NV', 'NL0013654783', 115_200],
  [1901, 'CPI', 'Capitec Bank Holdings Ltd.', 'ZAE000035861', 390_500],
  [1902, 'FSR', 'FirstRand Ltd.', 'ZAE000066304', 8214],
  [1903, 'SBK', 'Standard Bank Group Ltd.', 'ZAE000109815', 25_480],
  [1904, 'GFI', 'Gold Fields Ltd.', 'ZAE000018123', 68_200],
  [1905, 'ANG', 'AngloGold Ashanti plc', 'GB00BRXH2664', 120_400],
  [1906, 'AGL', 'Anglo American plc', 'GB00BTK05J60', 65_480],
  [1907, 'BHG', 'BHP Group Ltd.', 'AU000000BHP4', 48_350],
  [1908, 'GLN', 'Glencore plc', 'JE00B4T3BW64', 8246, { country: 'CH' }],
  [1909, 'CFR', 'Compagnie Financiere Richemont SA', 'CH0210483332', 345_100],
  [1910, 'BTI', 'British American Tobacco plc', 'GB0002875804', 92_150],
  [1911, 'MTN', 'MTN Group Ltd.', 'ZAE000042164', 16_480],
  [1912, 'ABG', 'Absa Group Ltd.', 'ZAE000255915', 20_110],
  [1913, 'SHP', 'Shoprite Holdings Ltd.', 'ZAE000012084', 27_540],
  [1914, 'VAL', 'Valterra Platinum Ltd.', 'ZAE000013181', 107_300],
  [1915, 'IMP', 'Impala Platinum Holdings Ltd.', 'ZAE000083648', 20_060],
  [1916, 'HAR', 'Harmony Gold Mining Co. Ltd.', 'ZAE000015228', 29_120],
  [1917, 'VOD', 'Vodacom Group Ltd.', 'ZAE000132577', 13_480],
  [1918, 'SOL', 'Sasol Ltd.', 'ZAE000006896', 11_060],
  [1919, 'NED', 'Nedbank Group Ltd.', 'ZAE000004875', 22_980],
  [1920, 'SLM', 'Sanlam Ltd.', 'ZAE000070660', 9012],
  [1921, 'DSY', 'Discovery Ltd.', 'ZAE000022331', 20_520],
]
