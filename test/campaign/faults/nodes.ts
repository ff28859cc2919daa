import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeProcess } from '../system/node-process.ts'
import { operatorToken } from './operator.ts'
import { type CauseFault, seconds, type Target } from './target.ts'

export const killNode: CauseFault = async ({ nodes }, { node, seconds: pause }) => {
  await (nodes[node] as NodeProcess).kill(pause * 1_000)
  return `node ${node + 1}, restarted after ${seconds(pause)}`
}

export const stopNode: CauseFault = async ({ nodes }, fault) => {
  const node = nodes[fault.node] as NodeProcess
  node.signal('SIGSTOP')
  try {
    await sleep(fault.seconds * 1_000)
  } finally {
    node.signal('SIGCONT')
  }
  return `node ${fault.node + 1} for ${seconds(fault.seconds)}`
}

/** Less than the minute by which the clocks of nodes may differ. */
export const moveNodeClock: CauseFault = async (target, fault) => {
  const { clocks } = target.context
  const node = target.nodes[fault.node] as NodeProcess
  const shift = (fault.degree < 0.5 ? -1 : 1) * (5 + Math.abs(fault.degree - 0.5) * 80)
  const token = await operatorToken(target)
  clocks.setSkew(true)
  node.shiftClock(Math.round(shift * 1_000))
  try {
    await sleep(fault.seconds * 1_000)
  } finally {
    node.shiftClock(0)
    await untilRealTime(target, fault.node, token)
    clocks.setSkew(false)
  }
  return `node ${fault.node + 1} by ${shift > 0 ? '+' : ''}${seconds(shift)} for ${seconds(fault.seconds)}`
}

/** The node learns of its clock by a signal: on a busy machine not at once. */
async function untilRealTime({ context: { caller } }: Target, node: number, token: string): Promise<void> {
  for (;;) {
    const outcome = await caller.send({ path: '/x/v1/clock', token, node, expected: [200] })
    if (outcome.status === 200) {
      const { RealNow } = JSON.parse(outcome.text) as { RealNow: string }
      const takenMs = outcome.endedAt - outcome.startedAt
      const differenceMs = Temporal.Instant.from(RealNow).epochMilliseconds - Date.now()
      if (Math.abs(differenceMs) <= takenMs + 1_000) return
    }
    await sleep(50)
  }
}
