import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentedRecords } from '../../support/database/documented-records.ts'
import { inEnvelope, mt564Text, seev031Sample } from '../../support/events/messages.ts'
import { root } from '../../support/sources.ts'

export type Format = 'ndjson' | 'csv' | 'xml' | 'fin'

const page = readFileSync(join(root, 'docs/data.md'), 'utf8')
const fenced = (kind: string): string => page.split(`\`\`\`${kind}\n`)[1]?.split('\n```')[0] ?? ''

/** A cheap hash instead of the password of an example, which would be hashed in every run. */
const passwordHash = '$argon2id$v=19$m=8,t=1,p=1$d5w877CbbbFryzklH6fb0A$+WIcoVERkFDmxUTSvC5ZL7gaPeZeWHaF1m6wV7oQntQ'

/** The records in docs/data.md: one of every kind. */
export const records: readonly Record<string, unknown>[] = documentedRecords.map((line) => {
  const { Password, ...record } = JSON.parse(line) as Record<string, unknown>
  return Password === undefined ? record : { ...record, PasswordHash: passwordHash }
})

const rows = [
  'Uic,Symbol,Description,ExchangeId,CurrencyCode,AssetType,Isin,TickSize,IsComplex,Aliases,Rank',
  '9001,AAPL:xnas,Apple Inc.,NASDAQ,USD,Stock;CfdOnStock,US0378331005,0.01,,,1',
  '9301,ABC:xnas,"A ""big"", one",NASDAQ,USD,Stock,,0.5,TRUE,Big A; BIGA,7',
  '9302,DEF:xnas,Größe,NASDAQ,EUR,Etf,,,false,,',
]

const isin = 'GB0002634946'
const aboutIt = (message: string): string => message.replaceAll('XS1111111118', isin)

/** The instrument of the sample messages. */
export const unlisted = {
  kind: 'instrument',
  Uic: 9400,
  Isin: isin,
  Symbol: 'EXA:xnas',
  Description: 'Example plc',
  ExchangeId: 'NASDAQ',
  CurrencyCode: 'EUR',
  As: [{ AssetType: 'Stock' }],
}

/** Valid files of each format. Each can be imported after `records`. */
export const samples: Readonly<Record<Format, readonly string[]>> = {
  ndjson: [
    [...records, unlisted].map((record) => JSON.stringify(record)).join('\n'),
    ...records.map((record) => `${JSON.stringify(record)}\n`),
  ],
  csv: [`${rows.join('\n')}\n`, `${rows.join('\r\n')}\r\n`],
  xml: [fenced('xml'), aboutIt(seev031Sample)],
  fin: [fenced('text'), inEnvelope(aboutIt(mt564Text))],
}
