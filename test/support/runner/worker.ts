import { once } from 'node:events'
import { test } from 'node:test'
import './process-end.ts'

/** Runs test files one after the other, as test/run.ts hands them out. A process that has run one file has loaded most
 *  of what the next one needs. Each file is a test that contains the tests of the file. */
await test('worker', async (worker) => {
  for (let file = await nextFile(); file !== undefined; file = await nextFile()) {
    const { name, url } = file
    await worker.test(name, () => import(url))
  }
  process.disconnect?.()
})

async function nextFile(): Promise<{ name: string; url: string } | undefined> {
  process.send?.('next')
  const [file] = await once(process, 'message')
  return file.name === undefined ? undefined : file
}
