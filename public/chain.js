// The option chain: another expiry or strike filter replaces the chain in place, and the ladder scrolls through all strikes
// with only the rows in view in the page.
const rowHeight = 26
const margin = 12

const changed = () => document.dispatchEvent(new CustomEvent('refdesk:changed'))

/** Undefined if the user is signed out or the service returned an error. */
async function get(url, part) {
  const response = await fetch(url, { headers: { 'x-part': part }, signal: AbortSignal.timeout(10_000) })
  return response.ok && new URL(response.url).pathname === location.pathname ? response.text() : undefined
}

/** Centres the selected expiry and the strike at the money in their own frames. The page does not move. */
function centre(chain) {
  for (const [frameName, name] of [
    ['.expiries', '[aria-current]'],
    ['.ladder', '.money'],
  ]) {
    const frame = chain.querySelector(frameName)
    const target = frame?.querySelector(name)
    if (!target) continue
    const [inner, outer] = [target.getBoundingClientRect(), frame.getBoundingClientRect()]
    frame.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2
    frame.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2
  }
}

const cell = (tag, className, ...content) => {
  const element = document.createElement(tag)
  element.className = className
  element.append(...content)
  return element
}

function half(side, uic, status, isIn, label, assetType) {
  if (uic === 0) return cell('td', `${side} quiet`, 'none')
  const value = cell('bdi', 'num copy-value', String(uic))
  value.dataset.what = 'Uic'
  const link = cell('a', 'go', '›', cell('span', 'unseen', label))
  link.href = `/console/instruments/${uic}/${assetType}`
  const more = status === '' ? [] : [' ', cell('span', 'tag warn', status)]
  return cell('td', `${side}${isIn ? ' itm' : ''}`, value, ' ', link, ...more)
}

function rowOf([strike, call, callStatus, put, putStatus, money], index, assetType) {
  const isMoney = (money & 4) !== 0
  const head = cell('th', 'k', strike, ...(isMoney ? [' ', cell('small', '', 'at the money')] : []))
  head.scope = 'row'
  const row = cell(
    'tr',
    isMoney ? 'money' : '',
    half('c', call, callStatus, (money & 1) !== 0, `Call ${strike}`, assetType),
    head,
    half('p', put, putStatus, (money & 2) !== 0, `Put ${strike}`, assetType),
  )
  row.ariaRowIndex = String(index + 2)
  return row
}

const spacer = () => {
  const row = cell('tr', 'spacer', cell('td', ''))
  row.ariaHidden = 'true'
  row.firstChild.colSpan = 3
  return row
}

/** Keeps the rows in view in the page, and the others as space above and below. */
function scrollThrough(ladder, rows) {
  const body = ladder.querySelector('tbody')
  const { assetType } = ladder.dataset
  const [above, below] = [spacer(), spacer()]
  const shown = new Map()
  let drawn = ''
  const draw = () => {
    const first = Math.max(Math.floor(ladder.scrollTop / rowHeight) - margin, 0)
    const last = Math.min(first + Math.ceil(ladder.clientHeight / rowHeight) + 2 * margin, rows.length)
    if (drawn === `${first} ${last}`) return
    drawn = `${first} ${last}`
    above.firstChild.style.height = `${first * rowHeight}px`
    below.firstChild.style.height = `${(rows.length - last) * rowHeight}px`
    for (const [index, row] of shown)
      if (index < first || index >= last) {
        row.remove()
        shown.delete(index)
      }
    let before = above
    for (let index = first; index < last; index++) {
      const row = shown.get(index) ?? rowOf(rows[index], index, assetType)
      if (before.nextSibling !== row) before.after(row)
      shown.set(index, row)
      before = row
    }
    changed()
  }
  body.replaceChildren(above, below)
  draw()
  const money = rows.findIndex((row) => (row[5] & 4) !== 0)
  const middle = money < 0 ? rows.length / 2 : money
  ladder.scrollTop = Math.max((middle + 1.5) * rowHeight - ladder.clientHeight / 2, 0)
  draw()
  ladder.addEventListener('scroll', () => requestAnimationFrame(draw), { passive: true })
}

async function enable(chain) {
  centre(chain)
  const ladder = chain.querySelector('.ladder[data-asset-type]')
  if (!ladder) return
  // Without the rows, the ladder stays as the page has it. A reload could repeat for ever.
  const text = await get(location.href, 'rows').catch(() => undefined)
  if (!text || !ladder.isConnected) return
  chain.querySelector('.strike-pages')?.remove()
  scrollThrough(ladder, JSON.parse(text))
}

let latest = 0

async function show(url, isNew) {
  const number = ++latest
  const shown = document.getElementById('chain')
  shown.ariaBusy = 'true'
  // A row of the chain before must not be copied from.
  if (document.activeElement?.closest('#chain tr')) document.activeElement.blur()
  const text = await get(url, 'chain')
  if (number !== latest) return
  // The page itself says what is wrong.
  if (!text) return location.assign(url)
  const next = new DOMParser().parseFromString(text, 'text/html').getElementById('chain')
  const isFocused = document.activeElement?.closest('.expiries')
  document.getElementById('chain').replaceWith(document.adoptNode(next))
  if (isNew) history.pushState(null, '', url)
  if (isFocused) next.querySelector('.expiries [aria-current]')?.focus({ preventScroll: true })
  changed()
  await enable(next)
}

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('#chain .expiries a')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  link.focus({ preventScroll: true })
  show(link.href, true).catch(() => location.assign(link.href))
})
document.addEventListener('submit', (event) => {
  const form = event.target.closest?.('.strike-filter')
  if (!form) return
  event.preventDefault()
  const url = `${form.action}?${new URLSearchParams(new FormData(form))}`
  show(url, true).catch(() => location.assign(url))
})
addEventListener('popstate', () => show(location.href, false).catch(() => location.reload()))
enable(document.getElementById('chain'))
