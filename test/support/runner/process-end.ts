import { after } from 'node:test'

const closers: (() => Promise<unknown>)[] = []

// Imported by the worker before its first file, so the hook belongs to the process and not to a file.
after(async () => {
  for (const close of closers.reverse()) await close()
})

/** Runs when all test files of this process are done. */
export function atProcessEnd(close: () => Promise<unknown>): void {
  closers.push(close)
}
