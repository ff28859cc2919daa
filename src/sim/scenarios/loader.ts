import type { ErrorList } from '../../data/import/errors.ts'
import type { Item } from '../../data/sources/records.ts'

/** The user who sends the text of a scenario. */
export type Loader = Readonly<{ clientKey: string; isOperator: boolean }>

type Members = Readonly<Record<string, unknown>>

/** A user of another client would see its data, so a text may bring users only into clients that it brings itself, and into the
 *  loader's own. Only operators bring operators. */
export function checkUsers(items: readonly Item[], { clientKey, isOperator }: Loader, errors: ErrorList): void {
  const records = items.flatMap((item) => ('value' in item ? [{ line: item.line, record: item.value as Members }] : []))
  const brought = records.flatMap(({ record }) => (record.kind === 'client' ? [record.ClientKey] : []))
  const allowed = new Set<unknown>([clientKey, ...brought])
  for (const { line, record } of records) {
    if (record.kind !== 'user') continue
    if (!allowed.has(record.ClientKey))
      errors.add({
        line,
        kind: 'user',
        field: 'ClientKey',
        reason: 'Must be your client, or one that the scenario brings.',
      })
    if (record.Operator === true && !isOperator)
      errors.add({ line, kind: 'user', field: 'Operator', reason: 'Only an operator may add operators.' })
  }
}
