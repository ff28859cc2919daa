import { randomEntityKey } from '../../../src/core/crypto/keys.ts'
import type { EventRecord } from '../../../src/events/import/schema.ts'
import { databaseForFile, exchange, exportText, importTexts, instrument, lines } from '../service/import.ts'

export const [apple, bae, vodafone, unlisted] = [
  'US0378331005',
  'GB0002634946',
  'GB00BH4HKS39',
  'XS1111111118',
] as const
export const [client, account] = [randomEntityKey(), randomEntityKey()]
const world = [
  exchange,
  instrument(1, { Isin: apple, As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }] }),
  instrument(2, { Isin: apple }),
  instrument(4, { Isin: vodafone }),
  { kind: 'client', ClientKey: client, ClientId: '1', Name: 'One' },
  { kind: 'account', AccountKey: account, AccountId: '1-1', ClientKey: client, Currency: 'EUR' },
]

/** A dividend in both formats, with a value that no event field holds: the safekeeping account. */
export const seev031 = (reference: string, isin: string, more: { prepared?: string; pays?: string } = {}): string =>
  `
<Envelope>
<AppHdr xmlns="urn:iso:std:iso:20022:tech:xsd:head.001.001.02">
<CreDt>${more.prepared ?? '2026-10-01T08:00:00Z'}</CreDt>
</AppHdr>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:seev.031.001.14">
<CorpActnNtfctn>
  <NtfctnGnlInf><NtfctnTp>NEWM</NtfctnTp>
    <PrcgSts><Cd><EvtCmpltnsSts>COMP</EvtCmpltnsSts><EvtConfSts>CONF</EvtConfSts></Cd></PrcgSts></NtfctnGnlInf>
  <CorpActnGnlInf><CorpActnEvtId>${reference}</CorpActnEvtId>
    <EvtTp><Cd>DVCA</Cd></EvtTp><MndtryVlntryEvtTp><Cd>MAND</Cd></MndtryVlntryEvtTp>
    <UndrlygScty><FinInstrmId><ISIN>${isin}</ISIN></FinInstrmId></UndrlygScty></CorpActnGnlInf>
  <AcctDtls><AcctsListAndBalDtls><SfkpgAcct>SAFE-1</SfkpgAcct></AcctsListAndBalDtls></AcctDtls>
  <CorpActnDtls><DtDtls><RcrdDt><Dt>2026-11-03</Dt></RcrdDt><ExDvddDt><Dt>2026-11-02</Dt></ExDvddDt></DtDtls></CorpActnDtls>
  <CorpActnOptnDtls><OptnNb>001</OptnNb><OptnTp><Cd>CASH</Cd></OptnTp>
    <DfltPrcgOrStgInstr><DfltOptnInd>true</DfltOptnInd></DfltPrcgOrStgInstr>
    <CshMvmntDtls><CdtDbtInd>CRDT</CdtDbtInd>
      <DtDtls><PmtDt><Dt>${more.pays ?? '2026-12-01'}</Dt></PmtDt></DtDtls></CshMvmntDtls></CorpActnOptnDtls>
</CorpActnNtfctn>
</Document>
</Envelope>`.trimStart()

export const mt564 = (reference: string, isin: string): string => `{1:F01CUSTXX21A0010000000000}{2:I564BANKXX21X001N}{4:
:16R:GENL
:20C::CORP//${reference}
:20C::SEME//NOTE1
:23G:NEWM
:22F::CAEV//DVCA
:22F::CAMV//MAND
:98C::PREP//20261001080000
:25D::PROC//COMP
:16S:GENL
:16R:USECU
:35B:ISIN ${isin}
:16R:ACCTINFO
:97A::SAFE//SAFE-1
:16S:ACCTINFO
:16S:USECU
:16R:CADETL
:98A::XDTE//20261102
:16S:CADETL
-}
`

/** Only the mandatory fields, and the reason. */
export const cancellation = (reference: string, isin: string): string =>
  mt564(reference, isin)
    .replace(':23G:NEWM', ':23G:CANC')
    .replace('20261001080000', '20261002080000')
    .replace(/:16R:CADETL[\s\S]*:16S:CADETL/, ':16R:ADDINFO\n:70E::ADTX//Off.\n:16S:ADDINFO')
    .replace('SAFE-1', 'SAFE-2')

export const idsOf = (events: EventRecord[]): string[] => events.map(({ EventId }) => EventId)

/** A database with two instruments of one ISIN and one of another, for imports of messages. */
export async function messageDatabase() {
  const { connection } = await databaseForFile()
  await importTexts(connection, { 'world.ndjson': lines(...world) })
  const exported = async (): Promise<EventRecord[]> => {
    const text = await exportText(connection, ['event'])
    return text === ''
      ? []
      : text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
  }
  const remove = (ids: string[]) =>
    importTexts(connection, { 'd.ndjson': lines(...ids.map((EventId) => ({ kind: 'event', EventId, delete: true }))) })
  return { connection, exported, remove }
}
