import type { LoadContext } from '../load/context.ts'
import type { ImportLane } from '../load/imports.ts'
import type { PlannedFault } from '../schedule.ts'
import type { Cluster } from '../system/cluster.ts'
import type { NodeProcess } from '../system/node-process.ts'
import type { Proxy } from '../system/proxy.ts'

/** What faults act on. */
export type Target = Readonly<{
  nodes: readonly NodeProcess[]
  cluster: Cluster
  /** The proxies between each node and PostgreSQL. */
  proxies: readonly (readonly Proxy[])[]
  imports: ImportLane
  context: LoadContext
  /** A user who may move the clock of the service. */
  operator: string
  /** Resolves when every node reads and writes again. */
  untilServing(what?: 'writes'): Promise<void>
}>

/** Causes a fault and ends it. Returns what happened, in a few words; `skipped: ...` if it cannot happen here. */
export type CauseFault = (target: Target, fault: PlannedFault) => Promise<string>

export const seconds = (value: number): string => `${value.toFixed(1)} s`
