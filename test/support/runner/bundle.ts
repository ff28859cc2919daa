import { test } from 'node:test'
// Ends what is left of the processes of all files, so it is read before the first of them.
import '../service/process.ts'

/** No file takes this long; its tests have their own, shorter limit. */
const timeout = 600_000

/** Runs test files in this process, one after the other. Each becomes a test, which what stands at its top level belongs
 *  to: its service starts when it is its turn and ends with it, and a file that cannot be read fails. */
export function runTogether(files: Readonly<Record<string, string>>): void {
  for (const [name, address] of Object.entries(files)) test(name, { timeout }, () => import(address))
}
