import { markOf, sharesIn } from '../system/data.ts'
import type { LoadContext } from './context.ts'
import type { ImportLane } from './imports.ts'
import { Lane } from './lane.ts'
import { TokenHolder } from './token-holder.ts'

const searchPath = '/ref/v1/instruments?Keywords=Campaign&AssetTypes=Stock&$top=1000'
const paths = [
  '/port/v1/users/me',
  '/port/v1/clients/me',
  '/port/v1/accounts/me',
  '/ca/v2/events',
  '/ref/v1/exchanges',
  '/ref/v1/instruments/details/7000000/Stock',
]

/** A user who searches and lists. A search must never mix two generations of the imported set. */
export class ReadLane extends Lane {
  readonly #context: LoadContext
  readonly #holder: TokenHolder
  readonly #imports: ImportLane

  constructor(context: LoadContext, user: string, imports: ImportLane, pauseMs: number) {
    super(context.random, pauseMs)
    this.#context = context
    this.#holder = new TokenHolder(context, user)
    this.#imports = imports
  }

  protected override async step(): Promise<void> {
    const { random } = this.#context
    if (random.chance(0.4)) await this.#search(random.whole(0, 1))
    else await this.#holder.send({ path: random.pick(paths), expected: [200] })
  }

  /** Both nodes serve what was imported. */
  protected override async check(): Promise<void> {
    for (const node of [0, 1]) {
      await this.#search(node)
      await this.#holder.send({ path: '/ca/v2/events', expected: [200], node })
    }
  }

  async #search(node: number): Promise<void> {
    const { findings } = this.#context
    const outcome = await this.#holder.send({ path: searchPath, expected: [200], node })
    if (outcome?.status !== 200) return
    const { Data } = JSON.parse(outcome.text) as { Data: { Description: string }[] }
    const generations = new Set(Data.map(({ Description }) => Number(/generation (\d+)/.exec(Description)?.[1])))
    const [generation = Number.NaN] = generations
    if (generations.size !== 1 || Data.length !== sharesIn(generation))
      findings.add(
        'half done',
        `node ${node + 1} serves ${Data.length} shares of ${[...generations].map(markOf).join(' and ')}`,
      )
    this.#imports.served(node, generation, outcome.startedAt)
  }
}
