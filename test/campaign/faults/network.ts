import { setTimeout as sleep } from 'node:timers/promises'
import type { PlannedFault } from '../schedule.ts'
import type { Proxy } from '../system/proxy.ts'
import { type CauseFault, seconds, type Target } from './target.ts'

function affected({ proxies }: Target, { node, isEverywhere }: PlannedFault): readonly Proxy[] {
  return isEverywhere ? proxies.flat() : (proxies[node] ?? [])
}

const where = ({ node, isEverywhere }: PlannedFault): string => (isEverywhere ? 'both nodes' : `node ${node + 1}`)

export const slowNetwork: CauseFault = async (target, fault) => {
  const proxies = affected(target, fault)
  const delayMs = Math.round(20 + fault.degree * 280)
  for (const proxy of proxies) proxy.delay(delayMs)
  try {
    await sleep(fault.seconds * 1_000)
  } finally {
    for (const proxy of proxies) proxy.delay(0)
  }
  return `${where(fault)}, ${delayMs} ms each way for ${seconds(fault.seconds)}`
}

/** Every connection breaks, and new ones do again. */
export const cutNetwork: CauseFault = async (target, fault) => {
  const until = performance.now() + fault.seconds * 1_000
  while (performance.now() < until) {
    for (const proxy of affected(target, fault)) proxy.cut()
    await sleep(50 + fault.degree * 400)
  }
  return `${where(fault)}, again and again for ${seconds(fault.seconds)}`
}

/** Nothing arrives, or statements do and their answers do not. Afterwards what was sent arrives late, or is lost. */
export const silenceNetwork: CauseFault = async (target, fault) => {
  const proxies = affected(target, fault)
  const what = fault.degree < 0.5 ? 'both' : 'answers'
  const isCut = fault.degree < 0.25 || fault.degree > 0.66
  for (const proxy of proxies) proxy.hold(what)
  try {
    await sleep(fault.seconds * 1_000)
  } finally {
    for (const proxy of proxies) {
      if (isCut) proxy.cut()
      proxy.resume()
    }
  }
  const lost = what === 'both' ? '' : ', answers only'
  return `${where(fault)} for ${seconds(fault.seconds)}${lost}, then ${isCut ? 'cut' : 'delivered late'}`
}
