import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseChecks } from './checks.ts'
import { FaultWindow } from './fault-window.ts'
import { causeFault } from './faults/faults.ts'
import type { Target } from './faults/target.ts'
import { Findings, Tally } from './findings.ts'
import { startLoad } from './load/load.ts'
import { Random } from './random.ts'
import { Recovery } from './recovery.ts'
import { Report } from './report.ts'
import { type FaultKind, type PlannedFault, schedule } from './schedule.ts'
import { System } from './system/system.ts'

export type CampaignOptions = Readonly<{
  minutes: number
  seed: number
  print(line: string): void
  kinds?: readonly FaultKind[]
  /** False: no bound on the time that something takes. For tests, which pass on any machine. */
  isTimed?: boolean
  /** Ends the campaign after the present fault. */
  signal?: AbortSignal
}>

/** Runs the schedule of a seed against a real service under load. Returns everything that was wrong. */
export async function runCampaign(options: CampaignOptions): Promise<Findings> {
  const findings = new Findings()
  const system = await System.start((reason) => findings.add('restart needed', reason))
  try {
    await new Campaign(options, system, findings).run()
  } finally {
    await system.stop()
  }
  return findings
}

class Campaign {
  readonly #options: CampaignOptions
  readonly #system: System
  readonly #findings: Findings
  readonly #tally = new Tally()
  readonly #window: FaultWindow
  readonly #report: Report
  readonly #checks: DatabaseChecks

  constructor(options: CampaignOptions, system: System, findings: Findings) {
    this.#options = options
    this.#system = system
    this.#findings = findings
    const { isTimed = true } = options
    this.#window = new FaultWindow(findings, { isTimed, starvation: system.starvation })
    this.#report = new Report(options.seed, options.print)
    this.#checks = new DatabaseChecks(system, findings, this.#tally)
  }

  async run(): Promise<void> {
    const { minutes, seed, kinds, signal } = this.#options
    this.#report.started(minutes)
    const until = performance.now() + minutes * 60_000
    const [findings, tally, window] = [this.#findings, this.#tally, this.#window]
    const load = await startLoad(this.#system, { random: new Random(~seed), findings, tally, window })
    const recovery = await Recovery.start(load.context)
    const { cluster, nodes, proxies } = this.#system
    const untilServing = (what?: 'writes') => recovery.untilServing(what)
    const target: Target = { cluster, nodes, proxies, ...load, untilServing }
    try {
      for (const fault of schedule(seed, kinds)) {
        if (performance.now() >= until || signal?.aborted) break
        await load.orFailure(this.#cause(fault, target, load.verify))
      }
      // What was written since the last fault.
      await load.orFailure(load.verify())
    } finally {
      await load.stop()
    }
    await this.#finish()
    this.#report.summary(findings, tally)
  }

  async #cause(fault: PlannedFault, target: Target, verify: () => Promise<void>): Promise<void> {
    const window = this.#window
    await sleep(fault.pauseSeconds * 1_000)
    const before = { unavailable: this.#tally.unavailable, writes: this.#tally.allWrites }
    window.begin(fault.kind)
    const what = await causeFault[fault.kind](target, fault)
    window.end()
    const isSkipped = what.startsWith('skipped')
    if (!isSkipped) {
      await target.untilServing()
      await verify()
      await this.#checks.run()
    }
    const unavailable = this.#tally.unavailable - before.unavailable
    const writes = this.#tally.allWrites - before.writes
    const result = {
      fault,
      what,
      recoverySeconds: window.lastRecoverySeconds,
      starvedSeconds: window.lastStarvedSeconds,
      unavailable,
      writes,
      isSkipped,
    }
    this.#report.fault(result, this.#findings.takeFresh())
  }

  /** Once more without load, and as an operator would. */
  async #finish(): Promise<void> {
    await this.#checks.run()
    await this.#system.command(['audit', 'verify']).catch((error: { stdout?: string; message: string }) => {
      this.#findings.add('audit chain broken', error.stdout ?? error.message)
    })
    this.#report.wrong(this.#findings.takeFresh())
  }
}
