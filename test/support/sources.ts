import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export type Import = { from: string; typeOnly: boolean }
export type Source = { path: string; text: string; imports: Import[] }

const importPattern = /^(?:import|export)( type)? (?:[^'"]*?from )?'([^']+)'/gms

/** The files that match, with what they import: paths from the root of the project, or the names of packages. */
export async function readSources(...patterns: string[]): Promise<Source[]> {
  const sources: Source[] = []
  for await (const path of glob(patterns, { cwd: root, exclude: ['**/node_modules/**'] })) {
    const text = readFileSync(join(root, path), 'utf8')
    const imports = [...text.matchAll(importPattern)].map(([, type, from = '']) => ({
      from: from.startsWith('.') ? normalize(join(dirname(path), from)) : from,
      typeOnly: type !== undefined,
    }))
    sources.push({ path, text, imports })
  }
  return sources
}

/** Groups of files that import each other, directly or through others (Tarjan's strongly connected components). */
export function findCircles(sources: readonly Source[]): string[][] {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports.map(({ from }) => from)]))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []

  const visit = (path: string): number => {
    const own = order.size
    order.set(path, own)
    lowest.set(path, own)
    open.push(path)
    for (const from of importsOf.get(path) ?? []) {
      if (!importsOf.has(from)) continue
      const reached = order.has(from) ? (open.includes(from) ? order.get(from) : undefined) : visit(from)
      lowest.set(path, Math.min(lowest.get(path) ?? own, reached ?? own))
    }
    if (lowest.get(path) === own) {
      const circle = open.splice(open.indexOf(path))
      if (circle.length > 1 || importsOf.get(path)?.includes(path)) circles.push(circle.toSorted())
    }
    return lowest.get(path) ?? own
  }
  for (const path of importsOf.keys()) if (!order.has(path)) visit(path)
  return circles
}

export type FunctionSize = { path: string; line: number; lines: number; header: string }

const functionOpening =
  /^( *)(?:.*(?:\bfunction\b.*|=>)|\).*|(?:(?:async|static|get|set) )*[#\w]+(?:<.*>)?\(.*\).*) \{$/
const otherOpening = /^ *(?:\} )?(?:if|else|for|while|switch|catch|do|try)\b(?!.*=> \{$)/

/** The functions of a file. It relies on Biome's format: the closing brace is at the indentation of the header. */
export function functionsIn({ path, text }: Source): FunctionSize[] {
  const lines = text.split('\n')
  return lines.flatMap((opening, index) => {
    const indent = functionOpening.exec(opening)?.[1]
    if (indent === undefined || otherOpening.test(opening)) return []
    const isHere = (line: string): boolean => line.startsWith(indent) && line[indent.length] !== ' '
    // The header of a function with many parameters begins some lines before.
    const start = opening.startsWith(`${indent})`)
      ? lines.findLastIndex((line, at) => at < index && isHere(line))
      : index
    const end = lines.findIndex((line, at) => at > index && line.startsWith(`${indent}}`))
    return [{ path, line: start + 1, lines: end - start + 1, header: lines[start]?.trim() ?? '' }]
  })
}
