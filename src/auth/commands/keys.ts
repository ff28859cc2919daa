import type { Clock } from '../../core/clock.ts'
import { type Connection, openDatabase } from '../../database/open.ts'
import { dropRetiringKeys, maintainKeys } from '../store/keys.ts'
import { signingSealKey } from '../tokens.ts'

type Dependencies = Readonly<{ connection: Connection; masterKey: Buffer; clock: Clock }>

/** refdesk keys rotate: the next key, which verifiers already know, starts signing. */
export async function rotateKeys(deps: Dependencies, leaked: boolean, say: (line: string) => void): Promise<0> {
  const { db, close } = openDatabase(deps.connection, 2)
  try {
    const [active] = await maintainKeys(db, signingSealKey(deps.masterKey), deps.clock.now(), true)
    say(`Key ${active} signs from now on. Tokens of the previous key stay valid until they expire.`)
    if (!leaked) return 0
    const dropped = await dropRetiringKeys(db, deps.clock.now())
    say(`Deleted keys: ${dropped.join(', ')}. Their access tokens are rejected from now on; apps must refresh.`)
    return 0
  } finally {
    await close()
  }
}
