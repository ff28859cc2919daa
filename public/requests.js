// The live list of requests: adds new rows on top while the page is visible.
const everyMs = 3_000
const maxRows = 200
const bar = document.querySelector('[data-live]')
const rows = document.getElementById('rows')
const status = document.createElement('span')
const button = document.createElement('button')
let isPaused = false
let isLooking = false
let timer

function say(text) {
  status.textContent = text
}

function nextUrl() {
  const url = new URL(bar.dataset.live, location.href)
  if (rows.dataset.newest) url.searchParams.set('Since', rows.dataset.newest)
  return url
}

function add(found) {
  if (!found.dataset.newest) return
  const body = rows.querySelector('tbody')
  if (!body) return location.reload()
  // Too many at once: what is between them and the ones before is on the older pages.
  if ('more' in found.dataset) body.replaceChildren()
  body.prepend(...found.querySelectorAll('tbody > tr'))
  while (body.rows.length > maxRows) body.rows[body.rows.length - 1].remove()
  rows.dataset.newest = found.dataset.newest
}

/** Returns how long to wait, or undefined to stop. */
async function look() {
  try {
    const signal = AbortSignal.timeout(10_000)
    const response = await fetch(nextUrl(), { headers: { 'x-part': 'rows' }, redirect: 'manual', signal })
    if (response.type === 'opaqueredirect') {
      say('You are signed out. Reload the page to sign in.')
      button.remove()
      return undefined
    }
    if (!response.ok) {
      say('The service is busy. Trying again shortly.')
      return Math.max(everyMs, (Number(response.headers.get('retry-after')) || 10) * 1_000)
    }
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const found = page.getElementById('rows')
    if (found && !isPaused) add(document.adoptNode(found))
    if (!isPaused) say('Live: new requests appear on top.')
    return everyMs
  } catch {
    say('The service could not be reached. Trying again shortly.')
    return 10_000
  }
}

async function run() {
  clearTimeout(timer)
  if (isPaused || isLooking || document.hidden) return
  isLooking = true
  const wait = await look()
  isLooking = false
  if (wait !== undefined) timer = setTimeout(run, wait)
}

button.type = 'button'
button.className = 'link'
button.textContent = 'Pause'
button.addEventListener('click', () => {
  isPaused = !isPaused
  button.textContent = isPaused ? 'Continue' : 'Pause'
  say(isPaused ? 'Paused.' : 'Live: new requests appear on top.')
  run()
})
document.addEventListener('visibilitychange', run)
status.className = 'quiet small'
say('Live: new requests appear on top.')
bar.append(status, button)
bar.hidden = false
timer = setTimeout(run, everyMs)
