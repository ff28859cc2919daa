/** A request on one line. */
export type LineFacts = Readonly<{
  /** 2026-11-16T12:00:00.123000Z */
  time: string
  status: number
  method: string
  path: string
  milliseconds: number
  app?: string | undefined
  user?: string | undefined
  fault?: string | undefined
  /** Why it failed. */
  reason?: string | undefined
}>

/** How wide the terminal is, undefined for a file or a pipe, and whether it shows colours. */
export type LineStyle = Readonly<{ width: number | undefined; hasColours: boolean }>

const colours = { red: 31, green: 32, yellow: 33, cyan: 36, faint: 2 } as const
export type Colour = keyof typeof colours
const minPath = 24
/** Keys are long, and their beginnings tell them apart. */
const [appCharacters, userCharacters] = [10, 8]
const column = (text = '-', width: number): string => printable(text).slice(0, width).padEnd(width)

/** Time, status, method, path, milliseconds, app, user and the reason of an error, in columns (§11.6). A terminal gets at most a
 *  line: the reason goes first, then the middle of the path. */
export function requestLine(facts: LineFacts, { width, hasColours }: LineStyle): string {
  const time = facts.time.slice(11, 23)
  const status = facts.status === 0 ? '---' : String(facts.status)
  const method = facts.method.padEnd(6)
  const milliseconds = `${facts.milliseconds.toFixed(1)} ms`.padStart(10)
  const who = [column(facts.app, appCharacters), column(facts.user, userCharacters)]
  const why = [facts.fault === undefined ? undefined : `injected ${facts.fault}`, facts.reason]
    .filter(Boolean)
    .join(': ')
  const fixed = `${time} ${status} ${method}`.length + `${milliseconds} ${who.join(' ')}`.length + 3
  const room = width === undefined ? Number.POSITIVE_INFINITY : Math.max(minPath, width - fixed)
  const path = fit(printable(facts.path), room)
  const left = room - path.length - 2
  const reason = left < 10 ? '' : fitEnd(printable(why), left)
  const line =
    `${paint('faint', time, hasColours)} ${paint(colourOf(facts.status), status, hasColours)} ${method} ` +
    `${milliseconds} ${paint('faint', who.join(' '), hasColours)} ${path}`
  return reason === '' ? line : `${line}  ${paint(colourOf(facts.status), reason, hasColours)}`
}

export const paint = (colour: Colour, text: string, hasColours: boolean): string =>
  hasColours ? `\u001b[${colours[colour]}m${text}\u001b[0m` : text

function colourOf(status: number): Colour {
  if (status >= 500 || status === 0) return 'red'
  if (status >= 400) return 'yellow'
  return status >= 300 ? 'cyan' : 'green'
}

/** A terminal would obey control characters. */
export const printable = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')

/** Cuts in the middle: the beginning says what it is, the end which one. */
function fit(text: string, width: number): string {
  if (text.length <= width) return text
  const end = Math.floor((width - 1) / 2)
  return `${text.slice(0, width - 1 - end)}…${text.slice(text.length - end)}`
}

const fitEnd = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, width - 1)}…`)
