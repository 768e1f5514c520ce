// Refreshes the list of orders while the page is open.
const list = document.querySelector('[data-orders]')
const { path } = document.body.dataset
const time = new Intl.DateTimeFormat(document.documentElement.lang === 'sv' ? 'sv-SE' : 'en-GB', {
  timeStyle: 'medium',
  timeZone: 'Europe/Stockholm',
})
const idOf = (entry) => entry.querySelector('[name="order"]').value

function entryFor({ id, text, at }) {
  const entry = document.querySelector('template').content.firstElementChild.cloneNode(true)
  entry.querySelector('[name="order"]').value = id
  if (text) entry.querySelector('.text').textContent = text
  const began = entry.querySelector('time')
  began.dateTime = at
  began.textContent = time.format(new Date(at))
  return entry
}

function show(orders) {
  const shown = new Map([...list.children].map((entry) => [idOf(entry), entry]))
  for (const [id, entry] of shown) if (!orders.some((order) => order.id === id)) entry.remove()
  for (const order of orders.toReversed()) if (!shown.has(order.id)) list.prepend(entryFor(order))
  document.querySelector('[data-empty]').hidden = orders.length > 0
}

async function look() {
  const answer = document.visibilityState === 'visible' && (await fetch(`${path}/waiting`).catch(() => undefined))
  if (answer?.ok) show(await answer.json())
  setTimeout(look, 1000)
}

if (list) look()
