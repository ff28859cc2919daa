import { randomEntityKey } from '../../../src/core/crypto/keys.ts'
import { databaseForFile, event, exchange, importTexts, instrument, lines, optionRoot } from '../service/import.ts'

export const [client, ada, bo, cy] = [
  randomEntityKey(),
  randomEntityKey(),
  randomEntityKey(),
  randomEntityKey(),
] as const
export const account = (AccountKey: string, AccountId: string) => ({
  kind: 'account',
  AccountKey,
  AccountId,
  ClientKey: client,
  Currency: 'EUR',
})
const world = lines(
  exchange,
  instrument(1, { As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }] }),
  instrument(2),
  optionRoot(7, [71, 72]),
  { kind: 'client', ClientKey: client, ClientId: '1', Name: 'One' },
  account(ada, '1-1'),
  account(bo, '1-2'),
  account(cy, '1-3'),
)

/** An offer with every field of an event (§7.5). */
export const offer = event('OFFER-1', 2, {
  CorporateActionType: 'Voluntary',
  EventType: { Code: 'TEND' },
  EventState: 'Approved',
  DisplayAndFormat: { Description: 'An offer', IsinCode: 'GB0000000000', Symbol: 'S2' },
  EventStatus: 'Active',
  Electable: 'Electable',
  InformationToComply: 'RestrictionsMayApply',
  AnnouncedDate: '2026-10-01',
  Ex: { Date: '2026-11-02' },
  Record: { Status: 'Unknown' },
  ClaimPeriod: { Start: { Date: '2026-11-02' }, End: { Status: 'Ongoing' } },
  MaxPrice: { Currency: 'GBP', Type: 'Actual', Value: 12.5 },
  NumberofDaysAccrued: 0,
  Narrative: 'Line one\nLine "two" \\ 株式 😀',
  EventIndicators: [{ Indicator: 'Offer', Values: [{ Code: 'DISS' }] }],
  Options: [
    {
      OptionId: '1',
      OptionType: { Code: 'CASH' },
      IsDefault: true,
      Deadline: { Date: '2026-11-20T18:00:00+02:00' },
      Payment: { Date: '2026-12-01' },
      CashMovements: [{ CashMovementType: 'Credit', Currency: 'GBP', OfferPrice: 1e-7 }],
      SecurityMovements: [],
    },
    { OptionId: '2', OptionType: { Code: 'NOAC', Name: 'Do nothing' } },
  ],
  UpdatedDateTime: '2026-10-02T09:00:00.5+01:00',
  Holdings: [
    { AccountKey: bo, Options: [{ OptionId: '1', ElectedAmount: 40, ElectionType: 'Manual' }] },
    { AccountKey: ada, CashReserved: { Currency: 'GBP', Value: 3.25 } },
  ],
  Source: { Format: 'mt564', Reference: 'X1', Unmapped: [{ Path: '70E::TXNR', Value: 'a\nb' }] },
})

/** A database with two instruments, option contracts and three accounts of a client, for imports of events. */
export async function eventDatabase() {
  const { connection, db } = await databaseForFile()
  await importTexts(connection, { 'world.ndjson': world })
  const importLines = (...records: object[]) => importTexts(connection, { 'f.ndjson': lines(...records) })
  return { connection, db, importLines }
}
