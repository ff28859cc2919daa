import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoKey } from '../support/demo.ts'
import { feedOf } from '../support/http/changes.ts'
import { event, exchange, instrument, position } from '../support/service/import.ts'
import { serviceForFile } from '../support/service/service.ts'

const service = await serviceForFile()
const { bo, load, now, since } = await feedOf(service)
const account = demoKey('account 9300101')
await load(exchange)

let lastUic = 600

/** An instrument with an event, held by bo. */
async function heldEvent() {
  const uic = lastUic++
  const id = `held-${uic}`
  const [added, held] = [event(id, uic), position(account, uic, 10)]
  await load(instrument(uic), added, held)
  const noEvent = { kind: 'event', EventId: id, delete: true }
  const noPosition = { kind: 'position', AccountKey: account, Uic: uic, AssetType: 'Stock', delete: true }
  const changed = event(id, uic, { CorporateActionType: 'Mandatory' })
  return { id, uic, added, held, noEvent, noPosition, changed }
}

const eventsSince = (start: string) => since(start, bo, { Kinds: 'event' })

test('an event that goes with its position is removed, in whatever order', async () => {
  for (const inOrder of [true, false]) {
    const { id, noEvent, noPosition } = await heldEvent()
    const start = await now()

    await load(...(inOrder ? [noEvent, noPosition] : [noPosition, noEvent]))

    assert.deepEqual(await eventsSince(start), [`Removed event ${id}`])
  }
})

test('an event and its position that go one after the other: removed once, however late a reader reads', async () => {
  for (const isEventFirst of [true, false]) {
    const { id, noEvent, noPosition } = await heldEvent()
    const start = await now()

    await load(isEventFirst ? noEvent : noPosition)
    const early = await eventsSince(start)
    const between = await now()
    await load(isEventFirst ? noPosition : noEvent)

    assert.deepEqual(early, [`Removed event ${id}`])
    assert.deepEqual(await eventsSince(between), [], 'a reader who has read')
    assert.deepEqual(await eventsSince(start), [`Removed event ${id}`], 'a reader who has not')
  }
})

test('an event that changes in the run in which its position goes is removed once', async () => {
  const { id, changed, noPosition } = await heldEvent()
  const start = await now()

  await load(changed, noPosition)

  assert.deepEqual(await eventsSince(start), [`Removed event ${id}`])
})

test('an event that comes with its position is added, and no more', async () => {
  const start = await now()

  const { id } = await heldEvent()

  assert.deepEqual(await eventsSince(start), [`Added event ${id}`])
})

test('an event that the client never held stays hidden when it is removed', async () => {
  const uic = lastUic++
  await load(instrument(uic), event('never-held', uic))
  const start = await now()
  await load({ kind: 'event', EventId: 'never-held', delete: true })
  await load(position(account, uic, 10))
  await load({ kind: 'position', AccountKey: account, Uic: uic, AssetType: 'Stock', delete: true })

  assert.deepEqual(await eventsSince(start), [])
})
