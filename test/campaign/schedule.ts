import { Random } from './random.ts'

export const faultKinds = [
  'node killed',
  'node stopped',
  'primary killed',
  'primary stopped',
  'replica killed',
  'replica stopped',
  'replica promoted',
  'import killed',
  'import stopped',
  'network slow',
  'network cut',
  'network silent',
  'disk full',
  'service clock moved',
  'node clock moved',
] as const

export type FaultKind = (typeof faultKinds)[number]

/** One fault of the schedule. Which of the numbers matter depends on its kind. */
export interface PlannedFault {
  readonly number: number
  readonly cycle: number
  readonly kind: FaultKind
  /** The node it is about. */
  readonly node: 0 | 1
  /** Whether a fault of the network is about both nodes. */
  readonly isEverywhere: boolean
  /** How long it lasts. */
  readonly seconds: number
  /** From 0 to 1: where to, how far, or when. */
  readonly degree: number
  /** The load runs undisturbed for so long before it. */
  readonly pauseSeconds: number
}

/** Endless. Every cycle has each kind once, in another order; the seed decides everything. */
export function* schedule(seed: number, kinds: readonly FaultKind[] = faultKinds): Generator<PlannedFault, never> {
  const random = new Random(seed)
  for (let cycle = 1, number = 1; ; cycle++)
    for (const kind of random.shuffled(kinds))
      yield {
        number: number++,
        cycle,
        kind,
        node: random.chance(0.5) ? 0 : 1,
        isEverywhere: random.chance(0.5),
        seconds: random.between(...durations(kind)),
        degree: random.next(),
        pauseSeconds: random.between(0.5, 2),
      }
}

/** Some are longer than the grace periods of the service (10 s for a repeated refresh), most are shorter. */
function durations(kind: FaultKind): [number, number] {
  if (kind === 'node killed' || kind === 'primary killed') return [0, 2]
  if (kind === 'network cut' || kind === 'disk full') return [1, 4]
  if (kind === 'network silent') return [1, 14]
  if (kind === 'node stopped' || kind === 'primary stopped') return [1, 12]
  return [1, 6]
}
