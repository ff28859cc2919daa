import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sha256 } from '../../../src/core/crypto/keys.ts'
import { noteSecret } from '../../support/runner/log-check.ts'
import { environment, freePort, projectFolder } from '../../support/service/system.ts'
import { Cluster } from './cluster.ts'
import { app, firstRecords, generationRecords, password } from './data.ts'
import { NodeProcess } from './node-process.ts'
import { Proxy } from './proxy.ts'
import { Starvation } from './starvation.ts'

const run = promisify(execFile)

export const revocationGraceSeconds = 5
export const masterKey = sha256('the master key of the campaign')

/** Two nodes, each behind proxies of its own, on a PostgreSQL pair. */
export class System {
  readonly folder: string
  readonly cluster: Cluster
  readonly nodes: NodeProcess[] = []
  readonly proxies: Proxy[][] = []
  readonly #onUnexpectedEnd: (reason: string) => void
  /** A request waits for a node, and the node for PostgreSQL. */
  readonly starvation: Starvation

  private constructor(folder: string, cluster: Cluster, onUnexpectedEnd: (reason: string) => void) {
    this.folder = folder
    this.cluster = cluster
    this.#onUnexpectedEnd = onUnexpectedEnd
    this.starvation = new Starvation([() => this.nodes.map(({ pid }) => pid), () => cluster.pids()])
  }

  static async start(onUnexpectedEnd: (reason: string) => void): Promise<System> {
    const folder = await mkdtemp(join(tmpdir(), 'refdesk-campaign-'))
    const system = new System(folder, await Cluster.start(folder), onUnexpectedEnd)
    process.once('exit', system.#endNow)
    try {
      const ports = [await freePort(), await freePort()]
      for (const [index, port] of ports.entries()) await system.#addNode(index, port, `http://localhost:${ports[0]}`)
      await system.nodes[0]?.start()
      await system.#loadData()
      await system.nodes[1]?.start()
      return system
    } catch (error) {
      await system.stop()
      throw error
    }
  }

  /** The settings of commands that run next to the service: they use the proxies of the first node. */
  get commandEnv(): Record<string, string> {
    return this.#envOf(0)
  }

  command(words: readonly string[]): Promise<{ stdout: string; stderr: string }> {
    const options = { cwd: projectFolder, env: environment(this.commandEnv), timeout: 120_000 }
    return run(process.execPath, [join(projectFolder, 'src/cli/cli.ts'), ...words], options)
  }

  /** When this process ends early, for example by a second Ctrl-C. */
  readonly #endNow = (): void => {
    for (const pid of [...this.nodes.map((node) => node.pid), ...this.cluster.pids()]) endProcess(pid)
    this.cluster.unmountNow()
    rmSync(this.folder, { recursive: true, force: true })
  }

  async stop(): Promise<void> {
    process.off('exit', this.#endNow)
    await Promise.all(this.nodes.map((node) => node.stop()))
    for (const proxy of this.proxies.flat()) await proxy.stop()
    await this.cluster.stop()
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 })
  }

  async #addNode(index: number, port: number, publicUrl: string): Promise<void> {
    const { pair } = this.cluster
    const servers = [pair.primary, pair.replica]
    const proxies = await Promise.all([
      ...servers.map(({ host, port }) => Proxy.start(() => ({ host, port }))),
      // Whichever is the replica now, as the read service of a cluster manager leads to.
      Proxy.start(() => pair.replica),
    ])
    this.proxies.push(proxies)
    const env = { ...this.#envOf(index), PUBLIC_URL: publicUrl }
    const name = `node-${index + 1}`
    const onUnexpectedEnd = (reason: string) => this.#onUnexpectedEnd(`${name} ended by itself: ${reason}`)
    this.nodes.push(new NodeProcess({ name, folder: this.folder, port, env, onUnexpectedEnd }))
  }

  #envOf(index: number): Record<string, string> {
    const [first, second, read] = (this.proxies[index] ?? []).map(({ address }) => address)
    if (!first || !second || !read) throw new Error('the proxies are not started')
    const { pair } = this.cluster
    // A run of the tests has one for all processes.
    const { NODE_COMPILE_CACHE = join(this.folder, 'compiled') } = environment({})
    return {
      DATABASE_URL: pair.urlOf([first, second]),
      // The two ways to name a replica: an address that follows it, and both servers.
      DATABASE_READ_URL:
        index === 0 ? pair.urlOf([read], '') : pair.urlOf([first, second], 'target_session_attrs=prefer-standby'),
      MASTER_KEY: masterKey.toString('base64'),
      DEMO: 'off',
      NODE_COMPILE_CACHE,
      REVOCATION_GRACE_SECONDS: String(revocationGraceSeconds),
    }
  }

  async #loadData(): Promise<void> {
    for (const secret of [password, app.secret]) noteSecret('password or secret', secret)
    const file = join(this.folder, 'first.ndjson')
    await writeFile(file, firstRecords() + generationRecords(0))
    await this.command(['import', file])
  }
}

function endProcess(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
