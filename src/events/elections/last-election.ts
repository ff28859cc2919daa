import type { ChangeFeed } from '../../database/changes.ts'

/** The number of the last election that this node knows of. A replica that has not got it yet is not asked. */
export class LastElection {
  #number = 0

  constructor(feed: ChangeFeed) {
    feed.on('election', (number) => {
      this.#number = Math.max(this.#number, Number(number))
    })
    // After a failover or a restore the database may have lost some.
    feed.onGap(() => {
      this.#number = 0
    })
  }

  get number(): number {
    return this.#number
  }
}
