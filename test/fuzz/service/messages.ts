/** What the process of the service measures of itself since it was last asked. */
export type Usage = Readonly<{
  rss: number
  heapUsed: number
  /** The longest turn of its event loop, in processor time, and the longest delay, in real time. */
  turnMs: number
  delayMs: number
  cpuSeconds: number
  inFlight: number
}>

export type Order = Readonly<
  { id: number } & ({ ask: 'usage' | 'tokens' | 'stop' } | { ask: 'advance'; seconds: number })
>

export type Report = Readonly<{
  id?: number
  url?: string
  logged?: string
  usage?: Usage
  tokens?: Record<string, string>
}>
