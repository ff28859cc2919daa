// Keys for every page, and rows that are clickable as a whole. The link in a row stays a real link.
const rowLink = 'th[scope="row"] a[href], :scope > :first-child a[href]'
const inert = 'a, button, input, select, textarea, label, details, form, [role="button"], [tabindex]:not(tr, .scroll)'
let help

const linkOf = (row) => row.querySelector(rowLink) ?? undefined
const isRow = (row) => linkOf(row) !== undefined || row.querySelector('.copy-value, [data-copy]') !== null
/** None while a part of the page is about to be replaced: its rows are not what the user means. */
const rows = () =>
  document.querySelector('main [aria-busy="true"]')
    ? []
    : [...document.querySelectorAll('main tbody > tr')].filter((row) => row.checkVisibility() && isRow(row))
const isTyping = ({ target }) => target.closest?.('input, textarea, select, dialog, [contenteditable]') !== null

function openLink(link, inNewTab) {
  if (inNewTab) window.open(link.href, '_blank', 'noopener')
  else link.click()
}

function clickRow(event) {
  const row = event.target.closest?.('main tbody > tr')
  // A row of an option chain has two instruments.
  const link = row && (row.closest('.chain') ? event.target.closest('td')?.querySelector('a[href]') : linkOf(row))
  if (!link || event.target.closest(inert) || event.defaultPrevented || event.button > 1) return
  // Text that was just selected is for copying.
  if (!getSelection().isCollapsed) return
  openLink(link, event.button === 1 || event.ctrlKey || event.metaKey)
}

const topOf = (element) => element.getBoundingClientRect().top
/** Where the sticky bar of the page and the sticky head of the table end. */
const covers = (row) =>
  [document.querySelector('.top'), row.closest('table').querySelector('thead th')].map(
    (cover) => cover?.getBoundingClientRect().bottom ?? 0,
  )

/** The next row. From the page itself, the first one that is in view; in an option chain, the one at the money. */
function move(step, isArrow) {
  const all = rows()
  const at = all.indexOf(document.activeElement.closest('tr'))
  const isInView = (row) => topOf(row) >= Math.max(...covers(row)) - 1 && topOf(row) < innerHeight
  const first = all.findIndex(isInView)
  const money = all[first]?.closest('.chain') ? all.findIndex((row) => row.matches('.money')) : -1
  const start = money < 0 ? first : money
  if (at < 0 && isArrow && start < 0) return false
  const row = at < 0 ? all[Math.max(start, 0)] : all[at + step]
  if (!row) return at >= 0
  row.tabIndex = -1
  row.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest' })
  return true
}

/** The Uic if the row has one, else its first value that can be copied, else the end of its link. */
function copyRow(row) {
  const value = row.querySelector('.copy-value[data-what="Uic"]') ?? row.querySelector('.copy-value, [data-copy]')
  if (value) return value.click()
  const id = decodeURIComponent(linkOf(row)?.pathname.split('/').at(-1) ?? '')
  navigator.clipboard?.writeText(id).then(
    () => document.dispatchEvent(new CustomEvent('refdesk:toast', { detail: `Copied ${id}` })),
    () => {},
  )
}

const pages = {
  h: ['/', 'Home'],
  i: ['/console/instruments', 'Instruments'],
  e: ['/console/exchanges', 'Exchanges'],
  c: ['/console/events', 'Corporate actions'],
  a: ['/console/apps', 'Apps'],
  r: ['/console/requests', 'Request log'],
}
const linkTo = (key) => document.querySelector(`.side nav a[href="${pages[key]?.[0]}"]`)

/** Whether the key before was g: the next one decides. */
let isAfterG = false
const forgetG = () => {
  isAfterG = false
}

const keys = [
  [['Ctrl K', '⌘K', '/'], 'Search or jump to'],
  [['↓', 'j', '↑', 'k'], 'Next or previous row'],
  [['Enter'], 'Open the row'],
  [['c'], 'Copy the Uic or id of the row'],
  [['c', 'p'], 'In an option chain: copy the Uic of the call, of the put'],
  ...Object.entries(pages).map(([key, [, name]]) => [['g', 'then', key], `Go to ${name}`]),
  [['?'], 'Show these keys'],
  [['Esc'], 'Close'],
]

function keyList(names) {
  const term = document.createElement('dt')
  for (const textContent of names) {
    const element = document.createElement(textContent === 'then' ? 'span' : 'kbd')
    term.append(Object.assign(element, { textContent }), ' ')
  }
  return term
}

function showKeys() {
  if (!help) {
    help = document.createElement('dialog')
    help.className = 'keys'
    help.setAttribute('aria-labelledby', 'keys-title')
    const title = Object.assign(document.createElement('h2'), { id: 'keys-title', textContent: 'Keys' })
    const terms = document.createElement('dl')
    terms.className = 'facts'
    for (const [names, textContent] of keys)
      terms.append(keyList(names), Object.assign(document.createElement('dd'), { textContent }))
    const close = Object.assign(document.createElement('button'), { className: 'button plain', textContent: 'Close' })
    close.addEventListener('click', () => help.close())
    help.append(title, terms, close)
    help.addEventListener('click', ({ target }) => target === help && help.close())
    document.body.append(help)
  }
  help.showModal()
}

function press(event) {
  const isGo = isAfterG
  forgetG()
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  isAfterG = event.key === 'g'
  if (isGo && linkTo(event.key)) return linkTo(event.key).click()
  const row = document.activeElement.closest('main tbody > tr')
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
  // Within an element of a row the arrows keep their own meaning.
  const isOwnArrow = event.key.startsWith('Arrow') && event.target !== document.body && event.target !== row
  if (step && !isOwnArrow) {
    if (move(step, event.key.startsWith('Arrow'))) event.preventDefault()
  } else if (event.key === 'Enter' && row && event.target === row && linkOf(row)) openLink(linkOf(row), false)
  else if (/^[cp]$/.test(event.key) && row?.closest('.chain')) row.querySelector(`.${event.key} .copy-value`)?.click()
  else if (event.key === 'c' && row) copyRow(row)
  else if (event.key === '?') showKeys()
  else if (event.key === '/') {
    event.preventDefault()
    document.dispatchEvent(new CustomEvent('refdesk:palette'))
  }
}

document.addEventListener('click', clickRow)
document.addEventListener('auxclick', clickRow)
document.addEventListener('keydown', press)
addEventListener('blur', forgetG)
addEventListener('pointerdown', forgetG)
document.addEventListener('refdesk:keys', showKeys)
