/** Files and messages above these limits are rejected: they are parsed in memory. */
export const fileBytes = 32 * 1024 * 1024
export const elementsOfFile = 500_000
export const leavesOfMessage = 20_000
export const depth = 50
export const nameLength = 100
/** Also the maximum length of a narrative. */
export const valueLength = 100_000
export const errorsOfFile = 1_000
export const pendingPages = 10_000
export const pendingLeaves = 500_000

export const unmappedCount = 10_000
export const unmappedValueLength = 20_000
export const unmappedPathLength = 2_000

/** Leaves room in an EventId for the longest Uic and asset type. */
export const referenceLength = 45
