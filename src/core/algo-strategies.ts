import type { AssetType } from './asset-type.ts'

/** The algorithmic strategies, by name. */
export const algoStrategyNames = ['Iceberg', 'Implementation Shortfall', 'TWAP', 'VWAP', 'With Volume'] as const
export type AlgoStrategyName = (typeof algoStrategyNames)[number]

/** The asset types that can be traded by them. */
export const algoAssetTypes: AssetType[] = ['CfdOnEtc', 'CfdOnEtf', 'CfdOnStock', 'Etc', 'Etf', 'Etn', 'Stock']
