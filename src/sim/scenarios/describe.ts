import type { Db } from '../../database/open.ts'
import { type LoadedScenario, listLoaded } from '../store/scenarios.ts'
import { type ShippedScenario, shippedScenarios } from './shipped.ts'

/** One scenario: loaded, shipped or both. A loaded one is described by what was loaded. */
export function describeScenario(shipped: ShippedScenario | undefined, loaded: LoadedScenario | undefined) {
  const described = loaded ?? shipped?.head
  if (!described) return undefined
  const { Name, Title, Shows, View, LookAt } = described
  const state = { IsShipped: shipped !== undefined, IsLoaded: loaded !== undefined }
  const more = loaded && { LoadedAt: loaded.LoadedAt, RecordCount: loaded.RecordCount }
  return { Name, Title, Shows, View, LookAt, ...state, ...more }
}

/** The shipped and the loaded ones, by name. */
export async function listScenarios(db: Db) {
  const shipped = await shippedScenarios()
  const loaded = new Map((await listLoaded(db)).map((scenario) => [scenario.Name, scenario]))
  const names = [...new Set([...shipped.keys(), ...loaded.keys()])].sort()
  return names.flatMap((name) => describeScenario(shipped.get(name), loaded.get(name)) ?? [])
}

const maxKeys = 5

/** By kind, in the order of the file. */
export function describeRecords(records: readonly Readonly<Record<string, unknown>>[]) {
  const byKind = Map.groupBy(records, ({ kind }) => String(kind))
  return [...byKind].map(([Kind, some]) => ({
    Kind,
    Count: some.length,
    Keys: Kind === 'accessRight' ? [] : some.slice(0, maxKeys).map(keyText),
  }))
}

const keyText = ({ kind: _, ...key }: Readonly<Record<string, unknown>>): string => Object.values(key).join(' ')
