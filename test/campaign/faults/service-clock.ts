import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from '../load/caller.ts'
import { operatorToken } from './operator.ts'
import { type CauseFault, seconds, type Target } from './target.ts'

const path = '/x/v1/clock'
const jumps = [-3 * 86_400, -1_800, -90, 90, 1_800, 7_200, 3 * 86_400]

/** Moves the clock of the service (sim only), and back to real time. Sessions that began in real time must work again
 *  afterwards; those of the other time mean nothing then. */
export const moveServiceClock: CauseFault = async (target, fault) => {
  const { clocks } = target.context
  const AdvanceSeconds = jumps[Math.floor(fault.degree * jumps.length)] ?? 90
  let token = await operatorToken(target)
  clocks.travel()
  try {
    token = await change(target, token, { method: 'PUT', json: { AdvanceSeconds } })
    await untilClock(target, token, true)
    clocks.settled()
    await sleep(fault.seconds * 1_000)
  } finally {
    clocks.travel()
    token = await change(target, token, { method: 'DELETE' })
    await untilClock(target, token, false)
    clocks.returned()
  }
  return `by ${AdvanceSeconds > 0 ? '+' : ''}${AdvanceSeconds} s for ${seconds(fault.seconds)}`
}

type Change = Readonly<{ method: 'PUT'; json: object } | { method: 'DELETE' }>

/** Returns the token of the session that replaces the caller's. */
async function change(target: Target, token: string, request: Change): Promise<string> {
  let current = token
  for (;;) {
    const outcome: Outcome = await target.context.caller.send({
      path,
      token: current,
      expected: [200, 401],
      ...request,
    })
    if (outcome.status === 200)
      return (JSON.parse(outcome.text) as { Session: { access_token: string } }).Session.access_token
    current = await operatorToken(target)
  }
}

/** Until both nodes have the time that was set. */
async function untilClock(target: Target, token: string, isTravelled: boolean): Promise<void> {
  let current = token
  for (const node of [0, 1])
    for (;;) {
      const outcome = await target.context.caller.send({ path, token: current, node, expected: [200, 401] })
      if (outcome.status === 200 && JSON.parse(outcome.text).IsTravelled === isTravelled) break
      if (outcome.status === 401) current = await operatorToken(target)
      await sleep(50)
    }
}
