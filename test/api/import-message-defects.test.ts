import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Defect, defects } from '../support/events/message-defects.ts'
import { messageDatabase, vodafone } from '../support/events/message-import.ts'
import { mt564Text, seev031Sample } from '../support/events/messages.ts'
import { exportText, importTexts } from '../support/service/import.ts'

const { connection } = await messageDatabase()
const nameOf = ({ format }: Pick<Defect, 'format'>): string => (format === 'seev031' ? 'a.xml' : 'a.fin')

/** About a security of the database. */
const listed = (text: string): string => text.replaceAll('XS1111111118', vodafone)
/** The events of both samples, each under its own reference. */
const intact = { 'a.xml': listed(seev031Sample), 'a.fin': listed(mt564Text).replace('OFF2026A1', 'OFF2026B1') }

test('the samples without a defect are imported', async () => {
  const { errors, counts } = await importTexts(connection, intact)
  assert.deepEqual([errors, counts], [[], { event: { added: 2 } }])
})

for (const defect of defects)
  test(`${defect.format}: ${defect.name} is an error with line and path, and nothing is applied`, async () => {
    const before = await exportText(connection)
    const name = nameOf(defect)
    // A second file with a valid change must not be applied either.
    const other = listed(mt564Text).replace('OFF2026A1', 'OFF2026C1')

    const { errors } = await importTexts(
      connection,
      { [name]: listed(defect.text), 'b.fin': other },
      { skipsUnknown: true, skipsOther: true },
    )

    assert.deepEqual(errors, [`${name}:${defect.line}: Message 1: ${defect.reason}`])
    assert.equal(await exportText(connection), before)
  })
