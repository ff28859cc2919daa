import type { TravelClock } from '../core/clock.ts'
import type { Db } from '../database/open.ts'
import { resetToDemo } from './reset.ts'

type Service = Readonly<{ db: Db; clock: TravelClock; masterKey: Buffer; environment: string; isDemoOn: boolean }>

/** refdesk reset: the same as POST /x/v1/reset, for operators, who may also remove imported data. */
export async function resetCommand(
  { environment, ...service }: Service,
  { imported = false }: { imported?: boolean },
  say: (line: string) => void,
): Promise<0> {
  if (environment !== 'sim') throw new Error('A reset exists in the sim environment only.')
  const keep = async () => async () => {}
  await resetToDemo({ ...service, mayRemoveImported: imported, audit: {}, keep })
  say('The demo data was loaded as of today. Everyone is signed out. Running nodes follow.')
  return 0
}
