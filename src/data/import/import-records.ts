import type { Trx } from '../../database/open.ts'
import { findDuplicateKeys } from '../../database/staging/copy.ts'
import { stageRecords, throwFirstError } from '../../database/staging/stage-records.ts'
import type { Count, Family } from '../kind.ts'

/** Imports records of the program itself in the caller's transaction. Throws the first error. */
export async function importRecords(
  trx: Trx,
  families: readonly Family[],
  records: Iterable<{ kind: string }>,
): Promise<Count[]> {
  const kinds = families.flatMap((family) => family.kinds)
  const filled = await stageRecords(trx, kinds, records)
  for (const { name, stage } of kinds)
    if (filled.has(stage.table)) throwFirstError([await findDuplicateKeys(trx, name, stage)])
  for (const family of families) throwFirstError(await family.findErrors(trx, filled))
  const counts: Count[] = []
  for (const family of families) counts.push(...(await family.apply(trx, filled)).counts)
  return counts
}
