import { randomBytes } from 'node:crypto'
import { randomEntityKey, randomHex } from '../../core/crypto/keys.ts'

export type Answers = Readonly<{
  firm: string
  user: string
  exchange: string
  instrument: string
  redirectUri: string
  currency: string
  timeZone: string
}>

/** Far from the Uics of the demo. */
const firstUic = 9_000_001
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']

/** A first data file: one record of each kind that a broker needs to see an instrument, with new keys and secrets. */
export function firstRecords({ firm, user, exchange, instrument, redirectUri, currency, timeZone }: Answers) {
  const [ClientKey, AccountGroupKey, AccountKey] = [randomEntityKey(), randomEntityKey(), randomEntityKey()]
  const ClientId = String(100_000 + (randomBytes(4).readUInt32BE() % 900_000))
  const ExchangeId = code(exchange, 12, 'EXCHANGE')
  const Symbol = `${code(instrument, 5, 'FIRST')}:${ExchangeId.toLowerCase()}`
  const [Password, Secret, AppKey] = [randomHex(), randomHex(), randomHex()]
  const records = [
    {
      ...{ kind: 'exchange', ExchangeId, Name: exchange, CountryCode: 'ZZ', Currency: currency, TimeZone: timeZone },
      Hours: [{ Days: weekdays, Start: '09:00', End: '17:30' }],
    },
    {
      ...{ kind: 'instrument', Uic: firstUic, Symbol, Description: instrument, ExchangeId, CurrencyCode: currency },
      ...{ TickSize: 0.01, As: [{ AssetType: 'Stock' }] },
    },
    { kind: 'client', ClientKey, ClientId, Name: firm, AccountGroups: [{ AccountGroupKey, Name: 'All' }] },
    { kind: 'account', AccountKey, AccountId: `${ClientId}-1`, ClientKey, AccountGroupKey, Currency: currency },
    { kind: 'user', UserKey: randomEntityKey(), Name: user, ClientKey, Password },
    { kind: 'accessRight', ClientKey, Level: 'Trade' },
    {
      ...{ kind: 'app', AppKey, Name: `${firm} app`, Flow: 'Code', ClientKey },
      ...{ Levels: { Online: 'Trade', Offline: 'Trade' }, RedirectUris: [{ Uri: redirectUri }], Secrets: [{ Secret }] },
    },
  ]
  return { records, Uic: firstUic, Symbol, ExchangeId, ClientId, AppKey, Password }
}

/** A code made of the letters and digits of a name. */
function code(name: string, length: number, otherwise: string): string {
  const letters = name
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
  return letters.slice(0, length) || otherwise
}
