import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '../../src/client/index.ts'
import { systemClock } from '../../src/core/clock.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { databaseUrl, runCommand } from '../support/service/process.ts'
import { masterKey, serviceForFile } from '../support/service/service.ts'
import { obtainTokens } from '../support/sign-in.ts'

/** A scenario is loaded, elected on, travelled past and restored. */
const service = await serviceForFile({ reference: true, clock: systemClock })
const EventId = 'SC-TENDER-81001'
const path = { Name: 'tender-offer' }

test('a typed client loads a scenario, elects, travels past the deadline, and restores the open event', async () => {
  let { access_token: token } = await obtainTokens(service.url)
  const first = token
  const ada = createClient({ baseUrl: service.baseUrl, token: () => token })
  await ada.put('/x/v1/scenarios/{Name}', { path })
  await ada.put('/x/v1/snapshots/{Name}', { path: { Name: 'open' } })

  const event = () => ada.get('/ca/v2/events/{EventId}', { path: { EventId } })
  const { ElectionStatus, Holdings: [holding] = [] } = await event()
  assert.equal(ElectionStatus, 'NotElected')
  const { AccountKey = '' } = holding ?? {}
  const Options = [{ OptionId: '001', Amount: 200 }]
  await ada.put('/ca/v2/elections', { body: { EventId, AccountKey, Options } })
  assert.equal((await event()).ElectionStatus, 'PartialElected')

  const { Session } = await ada.put('/x/v1/clock', { body: { AdvanceSeconds: 2 * 86_400 } })
  token = Session.access_token
  noteSecret('token', token)
  const closed = await event()
  assert.equal(closed.ElectionStatus, 'Elected')
  assert.deepEqual(
    closed.Holdings?.[0]?.Options?.map((each) => [each.OptionId, each.ElectedAmount, each.ElectionType]),
    [
      ['001', 200, 'Manual'],
      ['002', 300, 'Auto'],
    ],
  )

  const restored = await ada.post('/x/v1/snapshots/{Name}/restore', { path: { Name: 'open' } })
  assert.equal(restored.IsSessionKept, true, 'travelling continues the session')
  token = first
  assert.equal((await event()).ElectionStatus, 'NotElected')
  await ada.put('/ca/v2/elections', { body: { EventId, AccountKey, Options } })
  await ada.delete('/x/v1/scenarios/{Name}', { path })
  await ada.delete('/x/v1/snapshots/{Name}', { path: { Name: 'open' } })
})

test('commands load a scenario, elect, travel past the deadline, and restore the open event', async () => {
  const env = {
    DATABASE_URL: databaseUrl(service.database.connection),
    MASTER_KEY: masterKey.toString('base64'),
    PUBLIC_URL: service.url,
  }
  const refdesk = async (line: string): Promise<string> => {
    const { code, stdout, stderr } = await runCommand(line.split(' '), env)
    assert.equal(code, 0, `refdesk ${line}: ${stderr}`)
    return stdout
  }
  assert.match(await refdesk('scenario load tender-offer'), /^Loaded tender-offer/)
  await refdesk('snapshot save open')
  assert.match(await refdesk('events ada'), new RegExp(`${EventId} .*Decide by`))
  await refdesk(`elect ada ${EventId} 001=200`)
  assert.match(await refdesk(`events ada ${EventId}`), /200 for 001 \(Manual by ada\)/)
  await refdesk('clock +2d')
  assert.match(await refdesk(`events ada ${EventId}`), /300 for 002 \(Auto/)
  await refdesk('snapshot restore open')
  const open = await refdesk(`events ada ${EventId}`)
  assert.doesNotMatch(open, / for 00\d/)
  assert.match(await refdesk('events ada'), new RegExp(`${EventId} .*Decide by`))
  await refdesk('scenario unload tender-offer')
  await refdesk('snapshot delete open')
})
