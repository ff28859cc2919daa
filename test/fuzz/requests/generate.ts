import { Random } from '../random.ts'
import { fillBatch } from './batches.ts'
import { type Document, type Draft, Drafts, setJson } from './draft.ts'
import { frame } from './framing.ts'
import { mutate } from './mutate.ts'
import { foreignNames, isForeignTo, type User, users } from './names.ts'
import { isDisruptive, pageTargets, type Target, targetsOf } from './targets.ts'
import { serialize } from './wire.ts'

/** A request of a run: its bytes, with placeholders, and what to expect. */
export type FuzzRequest = Readonly<{
  index: number
  kind: 'valid' | 'one mutation' | 'hostile' | 'frame' | 'foreign id'
  /** The operation or page that it was made from, and what was done to its frame. */
  of: string
  what?: string
  bytes: Buffer
  /** The same request with an unknown id instead of one of another user. */
  unknown?: Buffer
  /** The ids in both, to compare the responses without them. */
  ids?: readonly [string, string]
  /** Nothing else is sent at the same time. */
  isAlone: boolean
}>

/** Makes request `index` of a seed, whatever was sent before. */
export class Generator {
  readonly #seed: number
  readonly #drafts: Drafts
  readonly #targets: readonly Target[]
  readonly #withIds: readonly Target[]

  constructor(document: Document, basePath: string, seed: number) {
    this.#seed = seed
    this.#drafts = new Drafts(document)
    this.#targets = [...targetsOf(document, basePath), ...pageTargets]
    const hasId = (target: Target) =>
      target.parameters.some(({ name, in: place }) => place !== 'header' && name in foreignNames)
    // Consents are the caller's own, regardless of the app's owner; a change of the clock hides more than it shows.
    this.#withIds = this.#targets.filter((target) => !target.isPage && hasId(target) && target.id !== 'withdrawConsent')
  }

  get targets(): readonly Target[] {
    return this.#targets
  }

  make(index: number): FuzzRequest {
    const random = new Random(this.#seed, index)
    const user = random.pick(users)
    const share = random.next()
    if (share < 0.06) return this.#pair(index, user, random)
    const target = random.weighted(this.#targets)
    const isAlone = isDisruptive(target)
    const draft = this.#draft(target, user, random, share >= 0.3)
    if (share < 0.3) return { index, kind: 'valid', of: target.id, bytes: serialize(draft), isAlone }
    if (share >= 0.93) {
      const { what, bytes } = frame(draft, random)
      return { index, kind: 'frame', of: target.id, what, bytes, isAlone }
    }
    const kind = share < 0.7 ? 'one mutation' : 'hostile'
    for (let more = kind === 'hostile' ? random.between(2, 6) : 1; more > 0; more--) mutate(draft, random)
    return { index, kind, of: target.id, bytes: serialize(draft), isAlone }
  }

  /** Drafts of batches have parts; a request to reset the data is rarely complete. */
  #draft(target: Target, user: User, random: Random, isDamaged: boolean): Draft {
    const draft = this.#drafts.make(target, user, random)
    if (target.id === 'resetData' && random.chance(0.95)) setJson(draft, { Confirm: 'no' })
    if (!target.id.endsWith('Batch')) return draft
    const group = target.path.replace(/batch$/, '')
    const own = this.#targets.filter((each) => each.path.startsWith(group) && !isDisruptive(each) && each !== target)
    const part = () => {
      const made = this.#drafts.make(random.pick(own), user, random)
      if (isDamaged && random.chance(0.3)) mutate(made, random)
      return made
    }
    fillBatch(draft, part, random, isDamaged)
    return draft
  }

  /** The same request twice: with an id that belongs to another user, and with one that no one has. */
  #pair(index: number, user: User, random: Random): FuzzRequest {
    const target = random.pick(this.#withIds)
    const names = target.parameters.filter(({ name, in: place }) => place !== 'header' && name in foreignNames)
    const { name, in: place } = random.pick(names)
    const caller = isForeignTo(name, user) ? user : 'bo'
    const ids = foreignNames[name]?.(random, caller) ?? { foreign: '', unknown: '' }
    const [seed, bytesOf] = [random.below(2 ** 31), (id: string) => serialize(withId(id))]
    const withId = (id: string): Draft => {
      const made = this.#drafts.make(target, caller, new Random(seed, 0))
      const fixed = { ...ids.also, [name]: id }
      if (place === 'query') made.query = [...made.query.filter((each) => each.name !== name), { name, value: id }]
      made.path = pathWith(target.path, made.path, place === 'path' ? fixed : { ...ids.also })
      // Whether it exists must not matter, so nothing else may decide.
      made.headers = made.headers.filter(([each]) => !/^if-/i.test(each))
      return made
    }
    const [bytes, unknown] = [bytesOf(ids.foreign), bytesOf(ids.unknown)]
    return {
      index,
      kind: 'foreign id',
      of: target.id,
      what: name,
      bytes,
      unknown,
      ids: [ids.foreign, ids.unknown],
      isAlone: false,
    }
  }
}

/** The path with other values for some of the names of its template. */
function pathWith(template: string, path: string, values: Readonly<Record<string, string>>): string {
  const given = path.split('/')
  const words = template.split('/').map((word, at) => {
    const name = /^\{(\w+)\}$/.exec(word)?.[1]
    const value = name === undefined ? undefined : values[name]
    return value === undefined ? given[at] : encodeURIComponent(value)
  })
  return words.join('/')
}
