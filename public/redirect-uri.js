// Says what the service thinks of a redirect URI while it is typed. Without script the Check button asks the same.
const pauseMilliseconds = 300

for (const input of document.querySelectorAll('input[data-check]')) {
  const { check, told, flow } = input.dataset
  const place = document.getElementById(told)
  const form = input.form
  let turn = 0
  let timer

  const tell = (nodes) => {
    place.replaceChildren(...nodes)
    input.ariaInvalid = place.querySelector('.bad') ? 'true' : null
  }
  const ask = async () => {
    const own = ++turn
    if (input.value === '') return tell([])
    const query = new URLSearchParams({ Uri: input.value, Flow: flow ?? new FormData(form).get('Flow') ?? '' })
    try {
      // Whoever is signed out meanwhile is redirected, and is told so by the form itself.
      const answer = await fetch(`${check}?${query}`, { redirect: 'error', signal: AbortSignal.timeout(5000) })
      const text = await answer.text()
      // What was typed since then has a question of its own under way.
      if (own === turn) tell(answer.ok ? new DOMParser().parseFromString(text, 'text/html').body.childNodes : [])
    } catch {
      if (own === turn) tell([])
    }
  }
  const askSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(ask, pauseMilliseconds)
  }

  input.addEventListener('input', askSoon)
  for (const choice of form.querySelectorAll('input[name="Flow"]')) choice.addEventListener('change', ask)
  for (const button of form.querySelectorAll('[data-check-button]')) button.hidden = true
}
