import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxDocumentBytes } from './events/catalogue/documents.ts'
import { maxAnswerBytes } from './http/answers/remember-answers.ts'
import { shareOf } from './workers.ts'

test('any number of workers divides the memory of caches into whole bytes', () => {
  for (let count = 1; count <= 64; count++) {
    const { answerBytes, documentBytes } = shareOf(count)
    assert.ok(Number.isInteger(answerBytes) && Number.isInteger(documentBytes), `${count} workers`)
    assert.ok(answerBytes * count <= maxAnswerBytes && documentBytes * count <= maxDocumentBytes, `${count} workers`)
    assert.ok(answerBytes > maxAnswerBytes / count - 1 && documentBytes > maxDocumentBytes / count - 1)
  }
})
