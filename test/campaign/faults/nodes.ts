import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeProcess } from '../system/node-process.ts'
import { type CauseFault, seconds } from './target.ts'

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
export const moveNodeClock: CauseFault = async ({ nodes, context: { clocks } }, fault) => {
  const node = nodes[fault.node] as NodeProcess
  const shift = (fault.degree < 0.5 ? -1 : 1) * (5 + Math.abs(fault.degree - 0.5) * 80)
  clocks.setSkew(true)
  node.shiftClock(Math.round(shift * 1_000))
  try {
    await sleep(fault.seconds * 1_000)
  } finally {
    node.shiftClock(0)
    clocks.setSkew(false)
  }
  return `node ${fault.node + 1} by ${shift > 0 ? '+' : ''}${seconds(shift)} for ${seconds(fault.seconds)}`
}
