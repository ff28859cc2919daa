import type { FaultKind } from '../schedule.ts'
import { killImport, stopImport } from './imports.ts'
import { cutNetwork, silenceNetwork, slowNetwork } from './network.ts'
import { killNode, moveNodeClock, stopNode } from './nodes.ts'
import { fillDisk, killPrimary, killReplica, promoteReplica, stopPrimary, stopReplica } from './postgres.ts'
import { moveServiceClock } from './service-clock.ts'
import type { CauseFault } from './target.ts'

export const causeFault: Readonly<Record<FaultKind, CauseFault>> = {
  'node killed': killNode,
  'node stopped': stopNode,
  'primary killed': killPrimary,
  'primary stopped': stopPrimary,
  'replica killed': killReplica,
  'replica stopped': stopReplica,
  'replica promoted': promoteReplica,
  'import killed': killImport,
  'import stopped': stopImport,
  'network slow': slowNetwork,
  'network cut': cutNetwork,
  'network silent': silenceNetwork,
  'disk full': fillDisk,
  'service clock moved': moveServiceClock,
  'node clock moved': moveNodeClock,
}
