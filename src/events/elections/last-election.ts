import type { ChangeFeed } from '../../database/changes.ts'
import type { Db } from '../../database/open.ts'
import { lastElectionNumber } from '../store/elections.ts'

/** The number of the last election that this node knows of. A replica that has not got it yet is not asked; nor is any until
 *  the number is known, and after a failover or a restore, which may have lost some, until it is read again. */
export class LastElection {
  readonly #db: Db
  #number = Number.POSITIVE_INFINITY

  constructor(db: Db, feed: ChangeFeed) {
    this.#db = db
    feed.on('election', (number) => {
      if (Number.isFinite(this.#number)) this.#number = Math.max(this.#number, Number(number))
    })
    feed.onGap(() => {
      this.#number = Number.POSITIVE_INFINITY
      return this.load()
    })
  }

  get number(): number {
    return this.#number
  }

  async load(): Promise<void> {
    this.#number = await lastElectionNumber(this.#db)
  }
}

type Node = Readonly<{ db: Db; feed: ChangeFeed }>
type Log = { warn(detail: object, message: string): void }

/** Read in the background: without it the replica is not used. */
export function followLastElection({ db, feed }: Node, reads: Db, log: Log): LastElection {
  const lastElection = new LastElection(db, feed)
  if (reads !== db)
    lastElection.load().catch((err: unknown) => log.warn({ err }, 'the number of the last election is not known yet'))
  return lastElection
}
