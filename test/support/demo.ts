import type { AccountRecord, ClientRecord, UserRecord } from '../../src/access/api/schema.ts'
import type { AppDocument } from '../../src/apps/import/document.ts'
import { entityKey, sha256 } from '../../src/core/crypto/keys.ts'
import type {
  CalendarRecord,
  ExchangeRecord,
  InstrumentRecord,
  OptionRootRecord,
} from '../../src/instruments/import/schema.ts'
import { demoApp, demoFacts } from '../../src/sim/demo/facts.ts'
import { readDemoFile } from '../../src/sim/demo/files.ts'
import { calendarOf, readMarkets } from '../../src/sim/demo/market.ts'
import { readDemo } from '../../src/sim/demo/read.ts'

export { demoApp, demoFacts }
export const { password: demoPassword, redirectUri: demoRedirectUri } = demoFacts

/** The keys in the files of demo/ were made from names, so tests can use the names. */
export const demoKey = (name: string): string => entityKey(sha256(`refdesk demo ${name}`).subarray(0, 16))

type Kind<Name, Record> = { kind: Name } & Record
type Access =
  | Kind<'client', ClientRecord>
  | Kind<'account', AccountRecord>
  | Kind<'user', UserRecord & { Password: string }>

const access = await readDemoFile<Access>('clients.ndjson')
export const demoClients = access.filter((record) => record.kind === 'client')
export const demoAccounts = access.filter((record) => record.kind === 'account')
export const demoUsers = access.filter((record) => record.kind === 'user')

/** The apps in the form that `importApp` takes. */
export const demoApps = (await readDemoFile<AppDocument>('apps.ndjson')).map((app) => {
  const [secret] = app.Secrets ?? []
  return {
    AppKey: app.AppKey,
    ClientKey: app.ClientKey ?? '',
    CreatedBy: app.CreatedBy ?? '',
    Name: app.Name,
    Description: app.Description ?? '',
    Flow: app.Flow,
    IsTradingEnabled: true,
    RedirectUris: (app.RedirectUris ?? []).map(({ Uri }) => Uri),
    ...(secret?.Secret !== undefined && { Secret: secret.Secret }),
  }
})

type ReferenceRecord =
  | Kind<'calendar', CalendarRecord>
  | Kind<'exchange', ExchangeRecord>
  | Kind<'instrument', InstrumentRecord>
  | Kind<'optionRoot', OptionRootRecord>

/** Calendars, exchanges, instruments and option roots of the demo, as of a day. */
export async function demoReference(today: Temporal.PlainDate): Promise<ReferenceRecord[]> {
  const { calendars, exchanges, instruments, optionRoots } = await readDemo(today)
  return [
    ...calendars.map((record) => ({ ...record, kind: 'calendar' as const })),
    ...exchanges.map((record) => ({ ...record, kind: 'exchange' as const })),
    ...instruments.map((record) => ({ ...record, kind: 'instrument' as const })),
    ...optionRoots.map((record) => ({ ...record, kind: 'optionRoot' as const })),
  ]
}

/** The exchanges of the demo, each with the times of its calendar. */
export async function demoExchanges(today: string): Promise<ExchangeRecord[]> {
  const markets = await readMarkets(Temporal.PlainDate.from(today))
  return markets.exchanges.map((exchange) => ({ ...calendarOf(markets, exchange), ...exchange }))
}
