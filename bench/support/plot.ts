import { type Figure, shown, shownAim, timesTheAim, verdictOf } from './figures.ts'

const rowHeight = 26
const top = 40
/** The width of a character of a name, about: without a font of its own a browser uses a wide one. */
const characterWidth = 7
const plotWidth = 420
const right = 190
/** The scale is logarithmic, from a fourth of the aim to four times the aim; longer bars are cut. */
const widest = 4

const escaped = (text: string): string => text.replace(/[&<>]/g, (mark) => `&#${mark.charCodeAt(0)};`)

/** The middle is the aim; a bar to the right is better than the aim. */
const positionOf = (times: number, left: number): number => {
  const share = Math.log(Math.min(widest, Math.max(1 / widest, times))) / Math.log(widest)
  return left + (plotWidth * (1 + share)) / 2
}

function rowOf(figure: Figure, index: number, left: number): string {
  const y = top + index * rowHeight
  const [aim, end] = [positionOf(1, left), positionOf(timesTheAim(figure), left)]
  const [x, width] = [Math.min(aim, end).toFixed(1), Math.max(1, Math.abs(end - aim)).toFixed(1)]
  const text = y + rowHeight / 2 + 4
  return [
    `<text x="${left - 12}" y="${text}" text-anchor="end">${escaped(figure.name)}</text>`,
    `<rect class="${verdictOf(figure)}" x="${x}" y="${y + 5}" width="${width}" height="${rowHeight - 10}" rx="2"/>`,
    `<text class="figure" x="${left + plotWidth + 12}" y="${text}">${shown(figure)} <tspan class="aim">${escaped(shownAim(figure))}</tspan></text>`,
  ].join('\n')
}

/** Draws each aim as a bar: to the right and green if it is met, to the left and orange if it is missed. */
export function plotOf(all: readonly Figure[]): string {
  const figures = all.filter(({ aim, result }) => aim !== undefined && !Number.isNaN(result))
  const left = 24 + characterWidth * Math.max(0, ...figures.map(({ name }) => name.length))
  const [width, height] = [left + plotWidth + right, top + figures.length * rowHeight + 12]
  const scale = [1 / 4, 1 / 2, 1, 2, 4].map((times) => {
    const label = times === 1 ? 'aim' : times < 1 ? `1/${1 / times}` : `${times} ×`
    const x = positionOf(times, left).toFixed(1)
    return `<line class="${times === 1 ? 'goal' : 'grid'}" x1="${x}" y1="${top - 8}" x2="${x}" y2="${height - 8}"/>
<text class="aim" x="${x}" y="${top - 16}" text-anchor="middle">${label}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Each figure against its aim">
<style>
text{font:13px system-ui,sans-serif;fill:#1f2933}.aim{fill:#66727f;font-size:12px}.figure{font-variant-numeric:tabular-nums}
.met{fill:#2f855a}.missed{fill:#c05621}.grid{stroke:#d9dee3}.goal{stroke:#66727f;stroke-width:1.5}.page{fill:#fff}
@media (prefers-color-scheme:dark){text{fill:#e4e8ec}.aim{fill:#9aa5b1}.met{fill:#48bb78}.missed{fill:#ed8936}.grid{stroke:#323b44}.goal{stroke:#9aa5b1}.page{fill:#11161b}}
</style>
<rect class="page" width="${width}" height="${height}"/>
${scale.join('\n')}
${figures.map((figure, index) => rowOf(figure, index, left)).join('\n')}
</svg>
`
}
