import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explain } from '../../../src/cli/explain.ts'
import type { EventCommand } from '../../../src/events/commands/dependencies.ts'
import { electCommand } from '../../../src/events/commands/elect.ts'
import { showEvents } from '../../../src/events/commands/events.ts'
import { clockCommand } from '../../../src/sim/clock-command.ts'
import { Holder, offer } from '../../support/events/electing.ts'
import { accountKeys, eventService, position } from '../../support/events/event-service.ts'
import { parseCall } from '../../support/service/command-line.ts'
import { databaseUrl, runCommand } from '../../support/service/process.ts'
import { masterKey } from '../../support/service/service.ts'
import { auditLog } from '../sim/support.ts'

const deadline = { Date: '2026-11-16T18:00:00Z' }
const { service, find } = await eventService({
  positions: [
    position(accountKeys.ada, 3, 100),
    position(accountKeys.ada, 1, 100),
    position(accountKeys.ada, 2, 70),
    position(accountKeys.ada2, 2, 30),
  ],
  events: [
    offer('offer', 1, {
      Options: [
        { OptionId: '001', OptionType: { Code: 'CASH' }, Deadline: deadline, MinExercisableMultipleQuantity: 10 },
        { OptionId: '002', OptionType: { Code: 'NOAC' }, IsDefault: true, Deadline: deadline },
      ],
    }),
    offer('shared', 2),
    offer('late', 3, {
      Options: [
        { OptionId: '1', OptionType: { Code: 'CASH' }, Deadline: { Date: '2090-01-01' } },
        { OptionId: '2', OptionType: { Code: 'NOAC' }, IsDefault: true, Deadline: { Date: '2090-01-01' } },
      ],
    }),
  ],
})
const { context, events: catalogue } = service.node
const { db, feed, clock } = context

/** Runs a command in this process. Returns what it printed. */
async function run(command: EventCommand, line: string, isAccepted = true): Promise<string> {
  const said: string[] = []
  const deps = { db, feed, clock, catalogue, isAccepted, appliesDefaults: isAccepted }
  assert.equal(await command(deps, await parseCall(line.split(' ')), (text) => said.push(text)), 0)
  return said.join('\n')
}
const elect = (line: string) => run(electCommand, `elect ${line}`)
const events = (line: string) => run(showEvents, `events ${line}`)

test('events lists what the client of a user sees, and shows one with options and holdings', async () => {
  assert.match(
    await events('ada'),
    /^EventId +Event +Instrument .*\noffer +Tender Offer +Novo Nordisk B +Decide by 2026-11-16 +2026-11-16T18:00:00Z +100\n/s,
  )
  assert.equal(await events('bo'), 'There are no events of what the client holds.')
  const lines = (await events('ada --json')).split('\n')
  assert.deepEqual(lines.map((line) => JSON.parse(line).EventId).sort(), ['late', 'offer', 'shared'])
  const shown = await events('ada offer')
  assert.match(shown, /^Tender Offer, Novo Nordisk B \(offer\)\nVoluntary, Confirmed, Active, NotElected\n/)
  assert.match(shown, /\n002 +No Action +yes +2026-11-16T18:00:00Z\n/)
  assert.match(shown, /\nAccount +Held +Elected +Elections\n9226397 +100 +0 +none$/)
  assert.deepEqual(JSON.parse(await events('ada offer --json')), await find('offer'))
  await assert.rejects(events('bo offer'), /Event offer was not found/)
  await assert.rejects(events('eve'), /^Error: There is no active user eve\./)
})

test('elect follows the rules of the API, is in the audit log, and replaces and withdraws', async () => {
  assert.match(await elect('ada offer 1=40'), /\n9226397 +100 +40 +40 for 001 \(Manual by ada\)$/)
  const entry = (await auditLog(db)).findLast(({ kind }) => kind === 'Elected')
  assert.deepEqual([entry?.app, entry?.address], ['command line', 'command line'])
  const { body } = await (await Holder.signIn(service, 'ada')).get<{ Data: { AppKey: string }[] }>('/x/v1/elections')
  assert.equal(body.Data.at(-1)?.AppKey, 'command line')

  await assert.rejects(
    elect('ada offer 1=45 2=60'),
    /1=45: Must be a multiple of 10.*\nThe amounts add up to 105; the account holds 100\./,
  )
  await assert.rejects(elect('ada offer 9=10'), /9=10: Must be one of: 001, 002\./)
  await assert.rejects(elect('ada offer all'), /"all" is not a choice\. Write the option and the amount: 1=100\./)
  await assert.rejects(elect('ada offer'), /or withdraw everything with --withdraw/)
  await assert.rejects(elect('cy offer 1=10'), /Event offer was not found/)
  await assert.rejects(run(electCommand, 'elect ada offer 1=10', false), /ELECTIONS=accept/)
  assert.equal((await find('offer')).Holdings?.[0]?.ElectedAmount, 40)
  assert.match(await elect('ada offer --withdraw'), /9226397 +100 +0 +none$/)
})

test('elect asks for the account if several hold the event', async () => {
  await assert.rejects(elect('ada shared 1=10'), /Several accounts hold it: 9226397 \(70\), 9226398 \(30\)\./)
  await assert.rejects(elect('ada shared 1=10 --account 1'), /No account 1 holds it\. These do: 9226397/)
  assert.match(await elect('ada shared 1=10 --account 9226398'), /\n9226398 +30 +10 /)
})

test('clock shows the time and travels as PUT x/v1/clock does, for every node', async () => {
  const travel = async (change?: string) => {
    const said: string[] = []
    assert.equal(await clockCommand({ db, clock, environment: 'sim' }, change, (line) => said.push(line)), 0)
    await feed.poll()
    return said.join('\n')
  }
  assert.equal(await travel(), 'Service time: 2026-11-16T12:00:00Z (real time)')
  assert.match(
    await travel('+7h'),
    /^Service time: 2026-11-16T19:00:00Z \(travelled, running\)\nReal time: +2026-11-16T12/,
  )
  assert.equal(clock.now().toString(), '2026-11-16T19:00:00Z')
  assert.match(await events('ada offer'), /100 for 002 \(Auto\)$/)
  await assert.rejects(elect('ada offer 1=10'), /The last deadline of the event has passed/)
  assert.match(await travel('freeze'), /\(frozen\)/)
  assert.match(await travel('2026-11-16'), /2026-11-16T00:00:00Z \(frozen\)/)
  await assert.rejects(travel('1850-01-01'), (error) => /^Must lead to a time from 1990/.test(explain(error)))
  await assert.rejects(travel('soon'), /"soon" is not a time/)
  assert.equal((await auditLog(db)).findLast(({ kind }) => kind === 'ClockChanged')?.address, 'command line')
  assert.match(await travel('reset'), /2026-11-16T12:00:00Z \(real time\)/)
  await assert.rejects(
    clockCommand({ db, clock, environment: 'live' }, '+1d', () => {}),
    /sim environment only/,
  )
})

test('the commands work next to a running service', async () => {
  const env = { DATABASE_URL: databaseUrl(service.database.connection), MASTER_KEY: masterKey.toString('base64') }
  const elected = await runCommand(['elect', 'ada', 'late', '1=20'], env)
  assert.deepEqual([elected.code, elected.stderr], [0, ''])
  assert.match(elected.stdout, /\n9226397 +100 +20 +20 for 1 \(Manual by ada\)\n$/)
  assert.equal((await find('late')).Holdings?.[0]?.ElectedAmount, 20)
  const rejected = await runCommand(['elect', 'ada', 'late', '1=200'], env)
  assert.deepEqual([rejected.code, rejected.stderr], [1, 'The amounts add up to 200; the account holds 100.\n'])
})
