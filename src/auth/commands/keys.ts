import type { Clock } from '../../core/clock.ts'
import { type Connection, openDatabase } from '../../database/open.ts'
import { maintainKeys, replaceKeys } from '../store/keys.ts'
import { signingSealKey } from '../tokens.ts'

type Dependencies = Readonly<{ connection: Connection; masterKey: Buffer; clock: Clock }>

/** refdesk keys rotate: the next key, which verifiers already know, starts signing. If keys leaked, new ones replace them all. */
export async function rotateKeys(deps: Dependencies, leaked: boolean, say: (line: string) => void): Promise<0> {
  const { db, close } = openDatabase(deps.connection, 2)
  const [sealKey, now] = [signingSealKey(deps.masterKey), deps.clock.now()]
  try {
    if (leaked) {
      const { active, removed } = await replaceKeys(db, sealKey, now)
      say(`Key ${active} signs from now on; it is new.`)
      say(`Deleted keys: ${removed.join(', ')}. Their access tokens are rejected from now on; apps must refresh.`)
    } else {
      const [active] = await maintainKeys(db, sealKey, now, true)
      say(`Key ${active} signs from now on. Tokens of the previous key stay valid until they expire.`)
    }
    return 0
  } finally {
    await close()
  }
}
