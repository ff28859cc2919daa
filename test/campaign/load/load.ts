import type { FaultWindow } from '../fault-window.ts'
import type { Findings, Tally } from '../findings.ts'
import type { Random } from '../random.ts'
import { accountKey, clientCount, electableEvents, userName } from '../system/data.ts'
import { revocationGraceSeconds, type System } from '../system/system.ts'
import { AppLane } from './apps.ts'
import { Caller } from './caller.ts'
import { Clocks, type LoadContext, RevokedTokens } from './context.ts'
import { ElectionLane } from './elections/elections.ts'
import { HoldingModel } from './elections/model.ts'
import { ElectionReadLane } from './elections/reader.ts'
import { ImportLane } from './imports.ts'
import type { Lane } from './lane.ts'
import { ReadLane } from './reads.ts'
import { RevocationLane } from './revocations.ts'
import { SessionLane } from './sessions.ts'

type Parts = Readonly<{ random: Random; findings: Findings; tally: Tally; window: FaultWindow }>

const pauses = { sessions: 100, apps: 200, reads: 150, revocations: 150, imports: 5_000, elections: 150 }

/** The steady load: users of three clients who sign in, refresh, search, list and elect, developers, back offices, and an operator. */
export async function startLoad(system: System, parts: Parts) {
  const { random, findings, tally, window } = parts
  const caller = new Caller(system.nodes, random, window, findings, tally)
  const context: LoadContext = { ...parts, caller, clocks: new Clocks(), revoked: new RevokedTokens() }
  const query = (text: string) => system.cluster.query(text)
  const { folder, commandEnv: env } = system
  const imports = new ImportLane(context, { folder, env, query, pauseMs: pauses.imports })
  const lanes: Lane[] = [imports, new RevocationLane(context, revocationGraceSeconds, pauses.revocations)]
  for (let client = 0; client < clientCount; client++) {
    lanes.push(
      new SessionLane(context, userName(client, 1), pauses.sessions),
      new AppLane(context, userName(client, 2), pauses.apps),
      new ReadLane(context, userName(client, 3), imports, pauses.reads),
      ...electionLanes(context, client),
    )
  }
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => undefined)
  const running = lanes.map((lane) => lane.run().catch(failure.reject))
  return {
    context,
    imports,
    operator: userName(0, 4),
    /** Resolves when every lane has checked what it wrote. */
    verify: async () => void (await Promise.all(lanes.map((lane) => lane.verify()))),
    /** Fails when a lane does: then the campaign itself is broken. */
    orFailure: <T>(work: Promise<T>): Promise<T> => Promise.race([work, failure.promise]),
    stop: async () => {
      for (const lane of lanes) lane.stop()
      await Promise.all(running)
    },
  }
}

/** A holder of two events, and who reads their elections. */
function electionLanes(context: LoadContext, client: number): Lane[] {
  const holdings = electableEvents.map((id) => new HoldingModel(id, `${id}-${client}`, context.findings))
  const user = userName(client, 5)
  const holder = { user, accountKey: accountKey(client), holdings }
  return [
    new ElectionLane(context, holder, pauses.elections),
    new ElectionReadLane(context, { user, holdings }, pauses.elections),
  ]
}
