import type { Clock } from '../../core/clock.ts'
import { type Connection, openDatabase } from '../../database/open.ts'
import { dropRetiringKeys, tendKeys } from '../store/keys.ts'
import { signingSealKey } from '../tokens.ts'

type Parts = Readonly<{ connection: Connection; masterKey: Buffer; clock: Clock }>

/** refdesk keys rotate: the next key, which verifiers know already, signs from now on. */
export async function rotateKeys(parts: Parts, leaked: boolean, say: (line: string) => void): Promise<0> {
  const { db, close } = openDatabase(parts.connection, 2)
  try {
    const [active] = await tendKeys(db, signingSealKey(parts.masterKey), parts.clock.now(), true)
    say(`Key ${active} signs from now on. Tokens of the key before it stay valid until they expire.`)
    if (!leaked) return 0
    const dropped = await dropRetiringKeys(db, parts.clock.now())
    say(`Keys taken away: ${dropped.join(', ')}. Their access tokens are refused from now on; apps refresh.`)
    return 0
  } finally {
    await close()
  }
}
