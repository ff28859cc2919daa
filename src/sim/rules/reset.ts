import { plural } from '../../core/text.ts'

type Origin = Readonly<{ isDemo: boolean; hasClients: boolean; imported: readonly { kind: string; records: number }[] }>
type Refusal = Readonly<{ code: 'NoDemoData' | 'ImportedData'; message: string }>

/** Also part of the start message. */
export const unknownOrigin =
  'An earlier version filled this database, so it is not known whether its data is the demo data, and it cannot be reset. If ' +
  'it is, an operator can remove all data and load the demo again: refdesk reset --confirm reset --imported'

/** Databases that an earlier version filled do not say with what: only an import and the demo add clients. */
export const isOriginUnknown = ({ isDemo, hasClients, imported }: Origin): boolean =>
  !isDemo && hasClients && !imported.some(({ kind }) => kind === 'client')

/** Only data of the demo is reset; imported data is removed only by an operator who says so (§11.4). Undefined if a reset is
 *  allowed. */
export function refuseReset(origin: Origin, isDemoOn: boolean, mayRemoveImported: boolean): Refusal | undefined {
  if (!isDemoOn)
    return {
      code: 'NoDemoData',
      message: 'This service runs without demo data (DEMO=off), so it cannot be reset to it.',
    }
  if (isOriginUnknown(origin)) return mayRemoveImported ? undefined : { code: 'NoDemoData', message: unknownOrigin }
  if (!origin.isDemo)
    return {
      code: 'NoDemoData',
      message:
        'The data of this database is not the demo data, so a reset would lose it. Start with another DATA_DIR or ' +
        'DATABASE_URL to get the demo.',
    }
  if (origin.imported.length === 0 || mayRemoveImported) return undefined
  const imported = origin.imported.map(({ kind, records }) => plural(records, `${kind} record`)).join(', ')
  return {
    code: 'ImportedData',
    message:
      `Data was imported into this database (${imported}), and a reset would remove it. Nothing was changed. An operator ` +
      'can remove it too: refdesk reset --confirm reset --imported',
  }
}
