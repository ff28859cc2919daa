import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PostgresServer, type Replicated, startReplicated } from '../../support/service/replicated.ts'
import { SmallDisk } from './disk.ts'
import { familyOf } from './starvation.ts'

/** The PostgreSQL pair with what a cluster manager such as Patroni does for it: a commit is acknowledged only when the
 *  replica has it, so that a promotion loses nothing; while there is no replica, commits do not wait for one. */
export class Cluster {
  readonly pair: Replicated
  readonly #disks: Readonly<Record<'a' | 'b', SmallDisk>>

  private constructor(pair: Replicated, disks: Readonly<Record<'a' | 'b', SmallDisk>>) {
    this.pair = pair
    this.#disks = disks
  }

  static async start(folder: string): Promise<Cluster> {
    const disks = { a: await SmallDisk.mount(join(folder, 'a')), b: await SmallDisk.mount(join(folder, 'b')) }
    try {
      return new Cluster(await startReplicated({ folder, synchronous: true }), disks)
    } catch (error) {
      for (const disk of Object.values(disks)) await disk.unmount()
      throw error
    }
  }

  diskOf(server: PostgresServer): SmallDisk {
    return this.#disks[server.name]
  }

  /** Every process of both servers. */
  pids(): number[] {
    return [this.pair.primary, this.pair.replica].flatMap(({ folder }) => {
      try {
        return familyOf(Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]))
      } catch {
        return []
      }
    })
  }

  query(text: string): Promise<Record<string, unknown>[]> {
    return this.pair.query(this.pair.primary, text)
  }

  /** The replica is out: from now on commits do not wait for it, and those that do are released. */
  async dropReplica(): Promise<void> {
    await this.#setStandbys('')
  }

  /** Waits until the replica follows, and lets commits wait for it again. */
  async followReplica(): Promise<void> {
    await this.#until("select 1 from pg_stat_replication where state = 'streaming'")
    await this.#setStandbys('*')
    await this.#until("select 1 from pg_stat_replication where sync_state = 'sync'")
  }

  /** Starts a server that has ended, or waits for one that recovers from a crash. */
  async revive(server: PostgresServer): Promise<void> {
    const answers = () =>
      this.pair.query(server, 'select 1', 'postgres').then(
        () => true,
        () => false,
      )
    while (!(await answers())) {
      if (!(await this.pair.isRunning(server))) return this.pair.start(server)
      await sleep(20)
    }
  }

  unmountNow(): void {
    for (const disk of Object.values(this.#disks)) disk.unmountNow()
  }

  async stop(): Promise<void> {
    await this.pair.stop()
    for (const disk of Object.values(this.#disks)) await disk.unmount()
  }

  async #setStandbys(names: string): Promise<void> {
    await this.query(`alter system set synchronous_standby_names = '${names}'`)
    await this.query('select pg_reload_conf()')
  }

  async #until(question: string): Promise<void> {
    for (let tries = 0; tries < 3_000; tries++) {
      if ((await this.query(question)).length > 0) return
      await sleep(20)
    }
    throw new Error(`the replica did not follow: ${question}`)
  }
}
