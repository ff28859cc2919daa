// Sorts tables by a click on a heading: ascending, descending, original order.
// Numbers, dates and text are recognized in the cells; <time datetime> and <data value> take precedence.
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const steps = { none: 'ascending', ascending: 'descending', descending: 'none' }

function keyOf(cell) {
  const exact = cell?.querySelector('time[datetime], data[value]')
  const text = (exact?.getAttribute('datetime') ?? exact?.getAttribute('value') ?? cell?.textContent ?? '').trim()
  if (/^[-+−]?[\d,]*\.?\d+ ?%?$/.test(text)) return Number(text.replace('−', '-').replaceAll(/[, %]/g, ''))
  const day = /^\d{1,2} [A-Z][a-z]{2} \d{4}/.test(text) ? Date.parse(text.replace(',', '')) : Number.NaN
  return Number.isNaN(day) ? text : day
}

function compare(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return collator.compare(String(a), String(b))
}

function sortBy(table, heads, head) {
  const direction = steps[head.ariaSort ?? 'none']
  for (const other of heads) other.ariaSort = other === head ? direction : 'none'
  const body = table.tBodies[0]
  const rows = [...body.rows].map((row) => ({
    row,
    key: keyOf(row.cells[head.cellIndex]),
    position: Number(row.dataset.position),
  }))
  rows.sort((one, other) => {
    if (direction === 'none') return one.position - other.position
    // Empty cells are last in both directions.
    if ((one.key === '') !== (other.key === '')) return one.key === '' ? 1 : -1
    const order = compare(one.key, other.key) * (direction === 'ascending' ? 1 : -1)
    return order || one.position - other.position
  })
  body.append(...rows.map(({ row }) => row))
}

function makeSortable(table) {
  delete table.dataset.sortable
  table.dataset.sorted = ''
  for (const [position, row] of [...table.tBodies[0].rows].entries()) row.dataset.position = String(position)
  const heads = [...table.tHead.rows[0].cells].filter(
    (head) => head.textContent.trim() && !head.querySelector('.unseen'),
  )
  for (const head of heads) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'sort'
    button.append(...head.childNodes)
    head.append(button)
    head.ariaSort = 'none'
    button.addEventListener('click', () => sortBy(table, heads, head))
  }
}

const enhance = () => document.querySelectorAll('table[data-sortable]').forEach(makeSortable)
enhance()
document.addEventListener('refdesk:changed', enhance)
