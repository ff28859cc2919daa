/** Of 32 random bytes about 30 differ, of 32 random letters and digits about 22, of random hex digits about 14. */
const minDistinct = 8

/** Why a key cannot be random, or undefined. Random text is accepted, because a database cannot be given another key. */
export function keyWeakness(key: Uint8Array): string | undefined {
  if (new Set(key).size === 1) return 'all its bytes are the same'
  const differences = key.subarray(1).map((byte, index) => byte - (key[index] ?? 0))
  if (new Set(differences).size === 1) return 'its bytes only count up or down'
  if (isRepeated(key)) return 'it repeats a shorter text'
  if (new Set(key).size < minDistinct) return `fewer than ${minDistinct} of its bytes differ`
  return undefined
}

/** Whether its first bytes, at most half of it, are repeated to its end. */
function isRepeated(key: Uint8Array): boolean {
  for (let period = 2; period <= key.length / 2; period++)
    if (key.every((byte, index) => index < period || byte === key[index - period])) return true
  return false
}
